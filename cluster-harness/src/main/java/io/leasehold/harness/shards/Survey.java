package io.leasehold.harness.shards;

import io.leasehold.LeaseInspector;
import io.leasehold.LeaseStatus;
import io.leasehold.concurrent.Strand;
import io.leasehold.time.Timer;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks all regions again and again what they have, and the store about those that do not answer:
 * silence proves nothing, a free lease does. Confined to the coordinator's strand.
 */
final class Survey {

  private final ShardSettings settings;
  private final Peers peers;
  private final LeaseInspector inspector;
  private final Timer timer;
  private final Strand strand;

  private final Set<String> unknown;
  private final Set<String> asked = new HashSet<>();
  private boolean over;
  private Timer.Cancellable alarm = () -> {};

  /** What a survey finds out is told here, on the strand. */
  interface Findings {

    /** A region has answered. */
    void reported(RegionReport report);

    /** A region has not answered; its lease says that it is this life, or none. */
    void silent(String node, OptionalLong life);

    /** Of every region it is known now what it has. Told once. */
    void complete();

    /** A region obeys a newer coordinator. */
    void superseded();
  }

  Survey(
      ShardSettings settings, Peers peers, LeaseInspector inspector, Timer timer, Strand strand) {
    this.settings = settings;
    this.peers = peers;
    this.inspector = inspector;
    this.timer = timer;
    this.strand = strand;
    this.unknown = new HashSet<>(settings.nodes());
  }

  /** Begins a round, and has the next one follow. */
  void begin(long token, Findings findings) {
    if (over) {
      return;
    }
    alarm = timer.schedule(settings.interval(), () -> strand.execute(() -> begin(token, findings)));
    for (String node : settings.nodes()) {
      if (asked.add(node)) {
        peers
            .takeOver(node, token)
            .whenComplete((report, failure) -> strand.execute(() -> heard(node, report, findings)));
      }
    }
  }

  void end() {
    over = true;
    alarm.cancel();
  }

  private void heard(String node, @Nullable RegionReport report, Findings findings) {
    if (over) {
      return;
    }
    if (report == null || report.verdict() == Verdict.GONE) {
      inspector
          .find(settings.regionLease(node).name())
          .thenApply(Survey::life)
          .whenComplete((life, failure) -> strand.execute(() -> looked(node, life, findings)));
    } else if (report.verdict() == Verdict.STALE) {
      findings.superseded();
    } else {
      asked.remove(node);
      findings.reported(report);
      known(node, findings);
    }
  }

  private static OptionalLong life(Optional<LeaseStatus> lease) {
    return lease.stream().mapToLong(LeaseStatus::fencingToken).findFirst();
  }

  private void looked(String node, @Nullable OptionalLong life, Findings findings) {
    asked.remove(node);
    if (over || life == null) {
      return;
    }
    findings.silent(node, life);
    if (life.isEmpty()) {
      known(node, findings);
    }
  }

  private void known(String node, Findings findings) {
    if (unknown.remove(node) && unknown.isEmpty()) {
      findings.complete();
    }
  }
}
