package io.leasehold.raft.meters;

import io.leasehold.LeaseLost;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The meters of the holder's side. Safe for many threads. */
final class HolderRecord implements HolderMeters {

  private final MeterShelf shelf;
  private final Function<String, OfLease> leases;
  private final Map<RenewalOutcome, Timer> renewals;
  private final Map<AttemptFailure, Counter> attemptsFailed;
  private final Map<Limit, Counter> limited;
  private final Map<Reread, Counter> rereads;
  private final Timer deadlineLeft;
  private final DistributionSummary deadlineUsed;
  private final DistributionSummary batches;
  private volatile int held;
  private volatile int waiting;
  private volatile int unsent;

  /**
   * @param taggedWithLease whether what concerns one lease is told with its name
   */
  HolderRecord(MeterShelf shelf, boolean taggedWithLease) {
    this.shelf = shelf;
    if (taggedWithLease) {
      Map<String, OfLease> known = new ConcurrentHashMap<>();
      leases = name -> known.computeIfAbsent(name, each -> new OfLease(Tags.of("lease", each)));
    } else {
      OfLease all = new OfLease(Tags.empty());
      leases = name -> all;
    }
    renewals =
        each(RenewalOutcome.class, it -> shelf.timer(NodeMeter.RENEWALS, tag("outcome", it)));
    attemptsFailed =
        each(
            AttemptFailure.class, it -> shelf.counter(NodeMeter.ATTEMPTS_FAILED, tag("cause", it)));
    limited = each(Limit.class, it -> shelf.counter(NodeMeter.LIMITED, tag("limit", it)));
    rereads = each(Reread.class, it -> shelf.counter(NodeMeter.REREADS, tag("cause", it)));
    deadlineLeft = shelf.timer(NodeMeter.DEADLINE_LEFT, Tags.empty());
    deadlineUsed = shelf.summary(NodeMeter.DEADLINE_USED);
    batches = shelf.summary(NodeMeter.BATCHES);
    shelf.gauge(NodeMeter.HELD, Tags.empty(), () -> held);
    shelf.gauge(NodeMeter.WAITING, Tags.empty(), () -> waiting);
    shelf.gauge(NodeMeter.UNSENT, Tags.empty(), () -> unsent);
  }

  /** What is told of one lease, or of all together. */
  private final class OfLease {
    final Map<AcquireOutcome, Timer> acquires;
    final Map<AcquireOutcome, Timer> queuedAcquires;
    final Map<ReleaseOutcome, Timer> releases;
    final Map<LeaseLost.Reason, Counter> losses;
    final Counter handovers;

    OfLease(Tags lease) {
      acquires = acquires(lease, false);
      queuedAcquires = acquires(lease, true);
      releases =
          each(
              ReleaseOutcome.class,
              it -> shelf.timer(NodeMeter.RELEASES, lease.and(tag("outcome", it))));
      losses =
          each(
              LeaseLost.Reason.class,
              it -> shelf.counter(NodeMeter.LOSSES, lease.and(tag("reason", it))));
      handovers = shelf.counter(NodeMeter.HANDOVERS, lease);
    }

    private Map<AcquireOutcome, Timer> acquires(Tags lease, boolean queued) {
      return each(
          AcquireOutcome.class,
          it ->
              shelf.timer(
                  NodeMeter.ACQUIRES,
                  lease.and(tag("outcome", it)).and("queued", String.valueOf(queued))));
    }
  }

  private static <E extends Enum<E>, M> Map<E, M> each(Class<E> type, Function<E, M> meter) {
    Map<E, M> meters = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      meters.put(constant, meter.apply(constant));
    }
    return meters;
  }

  /** A tag as Micrometer writes them: {@code taken-over}. */
  static Tags tag(String key, Enum<?> value) {
    return Tags.of(key, value.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  private static <E extends Enum<E>, M> M of(Map<E, M> meters, E constant) {
    M meter = meters.get(constant);
    if (meter == null) {
      throw new IllegalStateException("no meter for " + constant);
    }
    return meter;
  }

  @Override
  public void acquireEnded(String lease, boolean queued, AcquireOutcome outcome, long nanos) {
    OfLease meters = leases.apply(lease);
    of(queued ? meters.queuedAcquires : meters.acquires, outcome)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void releaseEnded(String lease, ReleaseOutcome outcome, long nanos) {
    of(leases.apply(lease).releases, outcome).record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void renewalEnded(RenewalOutcome outcome, long nanos) {
    of(renewals, outcome).record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void deadlineMoved(long leftNanos, long lifeNanos) {
    deadlineLeft.record(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
    deadlineUsed.record(Math.max(0, (double) (lifeNanos - leftNanos) / lifeNanos));
  }

  @Override
  public void attemptFailed(AttemptFailure cause) {
    of(attemptsFailed, cause).increment();
  }

  @Override
  public void batchSent(int commands) {
    batches.record(commands);
  }

  @Override
  public void held(int leases) {
    held = leases;
  }

  @Override
  public void waiting(int owners) {
    waiting = owners;
  }

  @Override
  public void unsent(int commands) {
    unsent = commands;
  }

  @Override
  public void lost(String lease, LeaseLost.Reason reason) {
    of(leases.apply(lease).losses, reason).increment();
  }

  @Override
  public void handedOver(String lease) {
    leases.apply(lease).handovers.increment();
  }

  @Override
  public void limitReached(Limit limit) {
    of(limited, limit).increment();
  }

  @Override
  public void reread(Reread cause) {
    of(rereads, cause).increment();
  }
}
