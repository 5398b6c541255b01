package io.leasehold.raft.simulation;

/** What has to come to pass now and then, or a run proves nothing. */
public enum Occurrence {
  // The log

  /** Somebody leads a further term. */
  LEADER_CHANGED,
  /** An election drops what was appended and not committed. */
  UNCOMMITTED_DROPPED,
  /** A leader that has been deposed without knowing it appends. */
  APPENDED_TO_NO_AVAIL,
  /** An entry has a stamp of an earlier term. */
  STAMP_VOID,
  /** A batch is committed again. */
  BATCH_TWICE_IN_LOG,
  /** What a leader proposed to expire is proposed again, later. */
  EXPIRY_LATE,
  /** It is proposed to expire what is not due. */
  EXPIRY_UNDUE,
  /** A replica gets a snapshot instead of the log. */
  SNAPSHOT_INSTALLED,
  /** A replica starts from a snapshot of its own. */
  STARTED_FROM_SNAPSHOT,

  // The network

  MESSAGE_LOST,
  MESSAGE_TWICE,
  MESSAGE_LATE,

  // Processes and clocks

  PAUSED,
  PAUSED_OVER_TTL,
  PAUSED_WHEN_HANDED_OVER,
  PAUSED_WHEN_SENT,
  PAUSED_WHEN_ANSWERED,
  SUSPENDED,
  CRASHED,
  CLOSED,
  CLOCK_FAST_AT_BOUND,
  CLOCK_SLOW_AT_BOUND,
  WALL_CLOCK_STEPPED,

  // Leases

  GRANTED,
  HANDED_OVER,
  RELEASED,
  EXPIRED,
  TAKEN_OVER_WHEN_DUE,
  RECLAIMED,
  REVOKED,
  WAITER_SKIPPED,
  SESSION_ENDED,

  // What users hear

  ACQUIRE_TRUE,
  ACQUIRE_FALSE,
  ACQUIRE_UNKNOWN,
  ACQUIRE_UNAVAILABLE,
  ACQUIRE_CANCELLED,
  RELEASE_UNKNOWN,
  LOST_EXPIRED,
  LOST_UNREACHABLE,
  LOST_REVOKED,
  LOST_CLOSED,

  // Singletons

  TASK_STARTED,
  /** A task ends by itself. */
  TASK_ENDED,
  TASK_FAILED,
  /** A task is told to end because its lease is lost. */
  TASK_CANCELLED,
  /** A task is told to end so that its lease can be given up. */
  TASK_STOPPED,
  STEPPED_DOWN
}
