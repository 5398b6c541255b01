package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.raft.meters.NodeMeters;
import io.leasehold.store.core.Limits;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a node measures of what its users do and what happens to them. */
final class HolderMetersTest {

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final List<NodeMeters> opened = new ArrayList<>();
  private final Stage stage = stage(Limits.DEFAULT, false);

  private Stage stage(Limits limits, boolean byLease) {
    return new Stage(
        limits,
        store -> {
          NodeMeters meters = NodeMeters.open(registry, "shop", store, () -> 0, byLease);
          opened.add(meters);
          return meters.holder();
        });
  }

  private long acquires(String outcome, boolean queued) {
    return timer("leasehold.acquires", "outcome", outcome, "queued", "" + queued).count();
  }

  private Timer timer(String name, String... tags) {
    return registry.get(name).tags(tags).timer();
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  @Test
  void acquiresAreTimedByWhatTheirCallersAreTold() {
    stage.store.holdBack();
    CompletableFuture<Boolean> slow = stage.lease("a").acquire().toCompletableFuture();
    stage.advance(Duration.ofMillis(300));
    stage.store.goOn();
    assertThat(stage.result(slow)).isTrue();
    assertThat(stage.result(stage.lease("b").acquire())).isFalse();
    CompletableFuture<Boolean> cancelled =
        stage.lease("b").acquire(Duration.ofSeconds(9)).toCompletableFuture();
    stage.settle();
    cancelled.cancel(false);

    assertThat(acquires("acquired", false)).isOne();
    assertThat(
            timer("leasehold.acquires", "outcome", "acquired", "queued", "false")
                .totalTime(TimeUnit.MILLISECONDS))
        .isBetween(300.0, 310.0);
    assertThat(acquires("refused", false)).isOne();
    assertThat(acquires("cancelled", true)).isOne();
    assertThat(acquires("acquired", true)).isZero();
  }

  @Test
  void acquiresThatFailAreTimedByWhetherTheyMayHaveHadAnEffect() {
    stage.store.holdBack();
    CompletableFuture<Boolean> unknown = stage.lease("a").acquire().toCompletableFuture();
    stage.advance(Duration.ofSeconds(10));
    assertThat(unknown).isCompletedExceptionally();
    stage.store.stop("the disk is full");
    CompletableFuture<Boolean> refused = stage.lease("b").acquire().toCompletableFuture();
    stage.settle();
    assertThat(refused).isCompletedExceptionally();

    assertThat(acquires("indeterminate", false)).isOne();
    assertThat(acquires("unavailable", false)).isOne();
    assertThat(count("leasehold.attempts.failed", "cause", "unanswered")).isPositive();
  }

  @Test
  void releasesTellWhetherThereWasAHold() {
    Lease held = stage.held();
    stage.result(held.release());
    stage.result(held.release());

    assertThat(timer("leasehold.releases", "outcome", "released").count()).isOne();
    assertThat(timer("leasehold.releases", "outcome", "not-held").count()).isOne();
    assertThat(gauge("leasehold.held")).isZero();
  }

  @Test
  void renewalsTellHowCloseTheDeadlineWas() {
    stage.held();
    assertThat(gauge("leasehold.held")).isOne();
    stage.advance(Duration.ofSeconds(10));

    var used = registry.get("leasehold.deadline.used").summary();
    assertThat(used.count()).isBetween(9L, 11L);
    double usual = (double) Stage.INTERVAL.toMillis() / Stage.LIFE.toMillis();
    assertThat(used.max()).isBetween(usual, usual + 0.01);
    assertThat(timer("leasehold.deadline.left").mean(TimeUnit.SECONDS)).isBetween(1.3, 1.5);
    assertThat(timer("leasehold.renewals", "outcome", "acknowledged").count())
        .isGreaterThanOrEqualTo(used.count());
    assertThat(timer("leasehold.renewals", "outcome", "unconfirmed").count()).isZero();
  }

  @Test
  void lossesAreCountedByTheirReasons() {
    stage.held();
    stage.otherRevokes();
    stage.settle();
    stage.held();
    stage.standStill(Stage.TTL);
    stage.advance(Stage.TTL);

    assertThat(count("leasehold.losses", "reason", "revoked")).isOne();
    assertThat(count("leasehold.losses", "reason", "unreachable")).isOne();
    assertThat(count("leasehold.losses", "reason", "closed")).isZero();
    assertThat(gauge("leasehold.held")).isZero();
  }

  @Test
  void waitersAreThereUntilTheyAreHandedTheLease() {
    stage.otherAcquires();
    CompletableFuture<Boolean> waiter =
        stage.lease("a").acquire(Duration.ofSeconds(30)).toCompletableFuture();
    stage.advance(Stage.A_MOMENT);
    assertThat(gauge("leasehold.waiting")).isOne();
    assertThat(count("leasehold.handovers")).isZero();

    stage.otherReleases();
    stage.settle();

    stage.advance(Stage.INTERVAL);
    assertThat(stage.result(waiter)).isTrue();
    assertThat(count("leasehold.handovers")).isOne();
    assertThat(gauge("leasehold.waiting")).isZero();
    assertThat(acquires("acquired", true)).isOne();
  }

  @Test
  void batchesAndWhatWaitsToBeSentAreCounted() {
    stage.advance(Duration.ofSeconds(1));
    stage.store.holdBack();
    var unusedFirst = stage.lease("a").acquire();
    stage.advance(Stage.A_MOMENT);
    var unusedSecond = stage.lease("b").acquire();
    var unusedThird = stage.lease("c").acquire();
    assertThat(gauge("leasehold.unsent")).isEqualTo(2);
    stage.store.goOn();
    stage.advance(Stage.A_MOMENT);

    assertThat(gauge("leasehold.unsent")).isZero();
    assertThat(registry.get("leasehold.batches").summary().max()).isEqualTo(2);
  }

  @Test
  void limitsOfTheNodeAndOfTheStoreAreCountedWhenTheyRefuse() {
    Stage small = stage(new Limits(2_000, 0, 1, 50_000, 100), false);
    small.held();
    Lease other =
        small.holder.lease(LeaseSettings.of("scanner", "a", Stage.TTL).withAcquireRetries(1));
    small.failure(other.acquire());
    assertThat(count("leasehold.limited", "limit", "store")).isOne();

    small.store.holdBack();
    for (int i = 0; i <= HolderSide.CALLS_MAX + 1; i++) {
      var unused = small.holder.inspector().list();
    }
    assertThat(count("leasehold.limited", "limit", "node")).isPositive();
  }

  @Test
  void watcherThatHasMissedEventsIsCounted() {
    var unused = stage.holder.inspector().watchAll(event -> {});
    stage.settle();
    stage.store.replace();
    stage.settle();

    assertThat(count("leasehold.rereads", "cause", "replaced")).isOne();
    assertThat(count("leasehold.rereads", "cause", "behind")).isZero();
  }

  @Test
  void eventsOfTheStoreAndLeadersAreCounted() {
    stage.held();
    stage.otherRevokes();
    stage.store.lead(Optional.of("n2"));
    stage.store.lead(Optional.empty());
    stage.store.lead(Optional.of("n2"));
    stage.store.lead(Optional.of("n3"));

    assertThat(events("granted")).isOne();
    assertThat(events("revoked")).isOne();
    assertThat(events("expired")).isZero();
    assertThat(registry.get("leasehold.leader.changes").functionCounter().count()).isEqualTo(3);
  }

  private double events(String kind) {
    return registry.get("leasehold.events").tag("kind", kind).functionCounter().count();
  }

  @Test
  void leaseIsATagOnlyWhereThatIsAskedFor() {
    assertThat(registry.getMeters())
        .noneSatisfy(meter -> assertThat(meter.getId().getTag("lease")).isNotNull());
    MeterRegistry own = new SimpleMeterRegistry();
    Stage named =
        new Stage(
            Limits.DEFAULT, store -> NodeMeters.open(own, "shop", store, () -> 0, true).holder());
    named.held();

    assertThat(
            own.get("leasehold.acquires")
                .tags("lease", Stage.PRINTER, "outcome", "acquired")
                .timers())
        .extracting(Timer::count)
        .containsExactlyInAnyOrder(1L, 0L);
    assertThat(own.get("leasehold.held").gauge().getId().getTag("lease")).isNull();
  }

  @Test
  void metersGoWithTheirNodeAndLeaveThoseOfOthers() {
    Meter own = registry.counter("jobs.done");
    assertThat(registry.getMeters()).hasSizeGreaterThan(50);

    opened.forEach(NodeMeters::close);

    assertThat(registry.getMeters()).containsExactly(own);
  }
}
