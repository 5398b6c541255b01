#!/usr/bin/env bash
# Checks the models of the lease protocol with Spin; see README.md beside this.
#
#   run-model.sh                  what the build runs: fails if some order of events breaks a rule,
#                                 or if a seeded error is not caught
#   run-model.sh large            larger settings, without errors: minutes, and gigabytes
#   run-model.sh MODEL [-DX=Y…]   one model, in a setting of your own
#   run-model.sh MODEL ERROR [-DX=Y…]
#                                 the shortest story by which an error is caught
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# build MODEL [-DX=Y…]: makes the checker.
build() {
  work=$(mktemp -d -p "$top")
  cp "$here"/*.pml "$work"
  cd "$work"
  # shellcheck disable=SC2086
  if ! { spin -a "${@:2}" "$1.pml" && gcc -w -O1 -DSAFETY -DNOREDUCE ${BUILD:-} -o pan pan.c; } \
      > build.log 2>&1; then
    cat build.log
    exit 2
  fi
}

# search DEPTH: runs it.
search() {
  timeout "${LIMIT:-600}" ./pan -m"$1" -w"${TABLE:-22}" > pan.log 2>&1 || true
}

# clean NAME: no rule may be broken, and nothing be left unsearched.
clean() {
  local begun=$SECONDS states
  search "${DEPTH:-1000000}"
  if grep -q 'errors: 0' pan.log && ! grep -qE 'too small|out of memory|MEMLIM' pan.log; then
    states=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' pan.log)
    echo "$1: $states states, no error, $((SECONDS - begun)) s"
  else
    echo "$1: FAILED"
    grep -E 'assert|errors:|too small|memory|MEMLIM' pan.log || echo "no end within ${LIMIT:-600} s"
    exit 1
  fi
}

# errors NAME DEPTH: every seeded error must be caught.
errors() {
  local error missed=0
  for error in $(SEEDED_ERROR='?' ./pan); do
    SEEDED_ERROR=$error search "$2"
    if grep -q 'errors: 1' pan.log; then
      echo "$1, $error: caught"
    else
      echo "$1, $error: NOT CAUGHT"
      missed=1
    fi
  done
  return "$missed"
}

# story ERROR MODEL: the lines of the model that lead to it.
story() {
  SEEDED_ERROR=$1 ./pan -w24 > pan.log
  if ! grep 'assertion violated' pan.log; then
    echo "not caught in this setting"
    exit 1
  fi
  SEEDED_ERROR=$1 ./pan -r "$2.pml.trail" 2>&1 | sed -nE 's/.*\[D_STEP([0-9]+)\].*/\1/p' |
    while read -r line; do
      sed -n "${line}p" "$2.pml"
    done
}

# together COMMAND…: runs them side by side, and shows what each said.
together() {
  local failed=0 i pids=()
  for ((i = 1; i <= $#; i++)); do
    (eval "${!i}") > "$top/said-$i" 2>&1 &
    pids[i]=$!
  done
  for ((i = 1; i <= $#; i++)); do
    wait "${pids[i]}" || failed=1
    cat "$top/said-$i"
  done
  return "$failed"
}

case "${1:-}" in
  '')
    together \
      'build lease && clean lease && errors lease 3000' \
      'build sessions -DLEASES=1 -DOLDEST=3 && clean sessions && errors sessions 1000000 &&
       build sessions -DCONFIRMS=0 -DREVOKES=0 -DLOSES_NEWS=0 && clean "sessions, two leases"'
    ;;
  large)
    export TABLE=26 DEPTH=4000000 LIMIT=7200 BUILD=-DCOLLAPSE
    build sessions && clean 'sessions, two leases'
    build lease -DQUEUE=2 && clean 'lease, two entries under way'
    ;;
  *)
    if [ $# -gt 1 ] && [[ $2 != -D* ]]; then
      BUILD=-DBFS build "$1" "${@:3}"
      story "$2" "$1"
    else
      build "$@"
      clean "$*"
    fi
    ;;
esac
