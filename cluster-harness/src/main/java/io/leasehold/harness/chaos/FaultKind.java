package io.leasehold.harness.chaos;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of harm that can be done. */
enum FaultKind {
  KILL("a process is killed with SIGKILL and started again"),
  PAUSE("a process is stopped and goes on after 1, 12 or (in long runs) 70 s"),
  PARTITION("a node is cut off: wholly or in one direction, by silence or by resets"),
  HOLDER("a node that holds leases is cut off from the others"),
  LEADER("the leader is cut off from the others"),
  SLOW("a node's link is slow: little bandwidth, long queues"),
  DELAY("a node's links are late, or stand still, and are half closed at the end"),
  LOSSY("a node's link loses packets"),
  TRANSFER("the leadership is handed over to another node"),
  WALL("a node's wall clock jumps by up to a day"),
  DRIFT("nodes' clocks run at different rates, for the whole run"),
  FSYNC("a node's disk is slow to sync, or fails to"),
  DISK("a node's disk is full"),
  RESTART("a process is ended in order and started again"),
  RESTART_ALL("all processes are killed at once and started again"),
  POWER("a node, or all at once, lose their power and what they had not synced"),
  WIPE("a node loses all that it had on disk, and is added anew");

  private final String meaning;

  FaultKind(String meaning) {
    this.meaning = meaning;
  }

  String meaning() {
    return meaning;
  }

  /** The name on the command line and in histories. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<FaultKind> of(String word) {
    return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
  }

  static String words() {
    return Arrays.stream(values()).map(FaultKind::word).collect(Collectors.joining(", "));
  }
}
