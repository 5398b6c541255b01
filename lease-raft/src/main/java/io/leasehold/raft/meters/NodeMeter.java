package io.leasehold.raft.meters;

/**
 * Every meter of a node, with its name, tags and unit as docs/METERS.md has them. Each has the tags
 * {@code cluster} and {@code node}, too.
 */
public enum NodeMeter {
  ACQUIRES(
      "leasehold.acquires",
      Kind.TIMER,
      "seconds",
      "outcome, queued",
      "Calls of acquire, by what their callers were told; queued are those that were ready to wait"),
  RELEASES(
      "leasehold.releases",
      Kind.TIMER,
      "seconds",
      "outcome",
      "Calls of release, by what their callers were told"),
  RENEWALS(
      "leasehold.renewals",
      Kind.TIMER,
      "seconds",
      "outcome",
      "Round trips of batches to the store, each of which renews all leases of the node"),
  ATTEMPTS_FAILED(
      "leasehold.attempts.failed",
      Kind.COUNTER,
      "",
      "cause",
      "Attempts at a batch that failed or had no answer in time, so that it was handed over again"),
  DEADLINE_LEFT(
      "leasehold.deadline.left",
      Kind.TIMER,
      "seconds",
      "",
      "Time that was left to the nearest local deadline when a renewal was acknowledged"),
  DEADLINE_USED(
      "leasehold.deadline.used",
      Kind.SUMMARY,
      "ratio",
      "",
      "Part of the time to the nearest local deadline that had passed when a renewal was acknowledged: 0.42 is usual, and at 1 a lease is lost"),
  HELD("leasehold.held", Kind.GAUGE, "leases", "", "Leases that are held on this node"),
  WAITING(
      "leasehold.waiting",
      Kind.GAUGE,
      "owners",
      "",
      "Owners on this node that have a place in the queue of a lease"),
  UNSENT(
      "leasehold.unsent", Kind.GAUGE, "commands", "", "Commands on this node that wait to be sent"),
  LOSSES("leasehold.losses", Kind.COUNTER, "", "reason", "Leases that were lost on this node"),
  HANDOVERS(
      "leasehold.handovers",
      Kind.COUNTER,
      "",
      "",
      "Leases that were handed to a waiter on this node"),
  BATCHES(
      "leasehold.batches",
      Kind.SUMMARY,
      "commands",
      "",
      "Commands in each batch that this node sends, none in a mere renewal"),
  LIMITED(
      "leasehold.limited",
      Kind.COUNTER,
      "",
      "limit",
      "Calls that this node or the store refused, most of all because of a limit"),
  REREADS(
      "leasehold.rereads",
      Kind.COUNTER,
      "",
      "cause",
      "Times that a watcher missed events and was told all that is held instead"),
  EVENTS(
      "leasehold.events",
      Kind.COUNTER,
      "",
      "kind",
      "What has happened in the whole store, as this member applied it"),
  LEASES("leasehold.leases", Kind.GAUGE, "leases", "", "Leases that are held in the whole store"),
  SESSIONS("leasehold.sessions", Kind.GAUGE, "sessions", "", "Sessions that the store knows"),
  LEASE_TIME(
      "leasehold.lease.time",
      Kind.COUNTER,
      "seconds",
      "",
      "Lease time, which stands still while there is no leader"),
  CLOCK_TIME(
      "leasehold.clock.time",
      Kind.COUNTER,
      "seconds",
      "",
      "Time since the node's start by its monotonic clock; lease time grows as fast"),
  ROLE("leasehold.role", Kind.GAUGE, "", "role", "1 for the member's role, 0 for the others"),
  TERM("leasehold.term", Kind.GAUGE, "", "", "The Raft term"),
  SERVING(
      "leasehold.serving",
      Kind.GAUGE,
      "",
      "",
      "1 while the member takes part in its cluster, 0 while it waits to or does not any more"),
  LEADER_KNOWN("leasehold.leader.known", Kind.GAUGE, "", "", "1 while this member knows a leader"),
  LEADER_CHANGES(
      "leasehold.leader.changes",
      Kind.COUNTER,
      "",
      "",
      "Times that this member has come to know a leader, another one or the same again"),
  MEMBERS("leasehold.members", Kind.GAUGE, "members", "", "Members that this one knows of"),
  MEMBERS_AILING(
      "leasehold.members.ailing",
      Kind.GAUGE,
      "",
      "",
      "Other members with which something is wrong as far as this one can tell; its status says what"),
  PEERS_REFUSED(
      "leasehold.peers.refused",
      Kind.COUNTER,
      "",
      "kind",
      "What was refused at this member's port, or of who answered at another's; the log says who it was"),
  APPLIED("leasehold.applied", Kind.GAUGE, "index", "", "The last log entry applied"),
  BEHIND(
      "leasehold.behind",
      Kind.GAUGE,
      "entries",
      "",
      "Log entries that are known to be committed and not applied here"),
  SNAPSHOT_AGE(
      "leasehold.snapshot.age",
      Kind.GAUGE,
      "seconds",
      "",
      "Since the newest snapshot was taken or installed, or the node started"),
  SNAPSHOTS("leasehold.snapshots", Kind.TIMER, "seconds", "", "Snapshots that this member took"),
  DISK_USED(
      "leasehold.disk.used",
      Kind.GAUGE,
      "bytes",
      "part",
      "Size of the log, the table and the snapshots on disk"),
  DISK_FREE("leasehold.disk.free", Kind.GAUGE, "bytes", "", "Room that is left on the node's disk"),
  DISK_STALLED(
      "leasehold.disk.stalled",
      Kind.GAUGE,
      "seconds",
      "",
      "For how long nothing of the log has come to the disk although there was something");

  private final String meterName;
  private final Kind kind;
  private final String unit;
  private final String tags;
  private final String description;

  NodeMeter(String meterName, Kind kind, String unit, String tags, String description) {
    this.meterName = meterName;
    this.kind = kind;
    this.unit = unit;
    this.tags = tags;
    this.description = description;
  }

  /** What is counted and how. */
  public enum Kind {
    /** How often and how long. */
    TIMER,
    /** How often and how much. */
    SUMMARY,
    /** Only grows. */
    COUNTER,
    /** As it is now. */
    GAUGE
  }

  /** Returns its name in Micrometer. */
  public String meterName() {
    return meterName;
  }

  /** Returns what kind of meter it is. */
  public Kind kind() {
    return kind;
  }

  /** Returns its base unit; empty if it has none. */
  public String unit() {
    return unit;
  }

  /** Returns the tags that it has beside those of all, with commas between. */
  public String tags() {
    return tags;
  }

  /** Returns what it tells, in a sentence. */
  public String description() {
    return description;
  }
}
