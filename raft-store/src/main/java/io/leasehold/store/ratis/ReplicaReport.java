package io.leasehold.store.ratis;

import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreFigures;
import io.leasehold.store.StoreStatus;
import io.leasehold.store.core.StoreState;
import io.leasehold.store.guard.MemberTls;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** How a replica is, as far as it knows itself. Safe for many threads. */
final class ReplicaReport {

  private final StoreConfig config;
  private final LocalServer local;
  private final LeaseStateMachine stateMachine;
  private final Roster roster;
  private final Membership membership;
  private final SlowDisk slowDisk;
  private final Optional<MemberTls> tls;
  private final SnapshotSchedule snapshotSchedule;
  private final DiskMeasure diskMeasure;
  private final BooleanSupplier closed;

  /**
   * @param closed whether the replica was closed
   */
  ReplicaReport(
      StoreConfig config,
      LocalServer local,
      LeaseStateMachine stateMachine,
      Roster roster,
      Membership membership,
      SlowDisk slowDisk,
      Optional<MemberTls> tls,
      SnapshotSchedule snapshotSchedule,
      DiskMeasure diskMeasure,
      BooleanSupplier closed) {
    this.config = config;
    this.local = local;
    this.stateMachine = stateMachine;
    this.roster = roster;
    this.membership = membership;
    this.slowDisk = slowDisk;
    this.tls = tls;
    this.snapshotSchedule = snapshotSchedule;
    this.diskMeasure = diskMeasure;
    this.closed = closed;
  }

  /** Whom this node follows; nobody once it has stopped, whatever the server remembers. */
  Optional<String> leader() {
    return isOver() ? Optional.empty() : local.leader();
  }

  /** Whether it takes no part in its group any more. */
  boolean isOver() {
    return closed.getAsBoolean() || stateMachine.failure().isPresent() || !local.isAlive();
  }

  /** Why this replica has stopped for good, or soon will have; empty while it serves. */
  Optional<String> failure() {
    if (closed.getAsBoolean()) {
      return Optional.of("the node is closed");
    }
    Optional<String> known = stateMachine.failure();
    if (known.isEmpty() && !local.isAlive()) {
      return Optional.of(
          "the Raft server has stopped: see this node's log and the disk of %s, and start it again"
              .formatted(config.folder()));
    }
    return known;
  }

  /** See {@link io.leasehold.store.LeaseStore#status}. */
  StoreStatus status() {
    return new StoreStatus(
        config.nodeId(),
        isOver() ? StoreStatus.Role.FOLLOWER : local.role(),
        leader(),
        local.term(),
        stateMachine.appliedIndex(),
        stateMachine.appliedState().leaseTimeNanos(),
        roster.members(),
        roster.listeners(),
        failure().isPresent() ? Optional.empty() : membership.waitsFor(),
        warning(),
        isOver() ? Map.of() : membership.warnings(),
        failure());
  }

  private Optional<String> warning() {
    long behind = entriesBehind();
    return slowDisk
        .warning()
        .or(() -> tls.flatMap(MemberTls::warning))
        .or(
            () ->
                Optional.of("this member " + MemberWatch.behind(behind))
                    .filter(warning -> behind > MemberWatch.ENTRIES_BEHIND_MAX));
  }

  private long entriesBehind() {
    return isOver() ? 0 : Math.max(0, local.committedIndex() - stateMachine.appliedIndex());
  }

  /** See {@link io.leasehold.store.LeaseStore#figures}. */
  StoreFigures figures() {
    StoreState state = stateMachine.appliedState();
    SnapshotSchedule.Taken taken = snapshotSchedule.sinceStart();
    boolean over = isOver();
    return new StoreFigures(
        entriesBehind(),
        state.leases(),
        state.sessions(),
        snapshotSchedule.age(),
        taken.count(),
        taken.took(),
        over ? Duration.ZERO : slowDisk.stoodStill(),
        diskMeasure.use(!over));
  }
}
