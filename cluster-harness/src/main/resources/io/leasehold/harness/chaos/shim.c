/*
 * Stands between a node and its system during a run under faults (LD_PRELOAD).
 *
 * The file named by SHIM_WALL holds seconds by which the wall clock is shifted; the monotonic
 * clocks are left alone. The file named by SHIM_SYNC holds "eio" (sync fails) or "delay N" (sync
 * takes N ms longer). Both are read anew at most every 50 ms, so a run can change them at any time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REREAD_NANOS 50000000LL

/* Straight to the kernel: another preloaded library may fake the clock as well. */
static long long monotonic_nanos(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int read_file(const char *variable, char *text, size_t size) {
  const char *path = getenv(variable);
  if (!path) return 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, size - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  return 1;
}

static long wall_shift(void) {
  static _Atomic long long reread_at;
  static _Atomic long shift;
  long long now = monotonic_nanos();
  if (now >= atomic_load(&reread_at)) {
    char text[64];
    atomic_store(&reread_at, now + REREAD_NANOS);
    atomic_store(&shift, read_file("SHIM_WALL", text, sizeof text) ? atol(text) : 0);
  }
  return atomic_load(&shift);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = dlsym(RTLD_NEXT, "clock_gettime");
  int result = next(clock, time);
  if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    time->tv_sec += wall_shift();
  }
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  static int (*next)(struct timeval *, void *);
  if (!next) next = dlsym(RTLD_NEXT, "gettimeofday");
  int result = next(time, zone);
  if (!result) time->tv_sec += wall_shift();
  return result;
}

/* 0: go on, with the delay already passed; -1: fail. */
static int before_sync(void) {
  char text[64];
  if (!read_file("SHIM_SYNC", text, sizeof text)) return 0;
  if (!strncmp(text, "eio", 3)) {
    errno = EIO;
    return -1;
  }
  if (!strncmp(text, "delay ", 6)) usleep(atoi(text + 6) * 1000);
  return 0;
}

int fsync(int file) {
  static int (*next)(int);
  if (!next) next = dlsym(RTLD_NEXT, "fsync");
  return before_sync() ? -1 : next(file);
}

int fdatasync(int file) {
  static int (*next)(int);
  if (!next) next = dlsym(RTLD_NEXT, "fdatasync");
  return before_sync() ? -1 : next(file);
}
