package io.leasehold.raft.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How long a dead holder's lease can last when leaders change, and what a dying crowd does to the
 * others. Lease time goes on under the next leader from the last entry of the one before, so each
 * change prolongs a lease by the time without a leader and the time since that entry, which whoever
 * waits writes at least once in each renewal interval.
 */
final class FailoverTest {

  private static final String HOLDER = "n1";
  private static final String CONTENDER = "n2";
  private static final String BYSTANDER = "n3";
  private static final Duration STEP = Duration.ofMillis(10);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final Duration ttl = cluster.ttl();

  @AfterEach
  void close() {
    cluster.close();
  }

  /** CASES.md, 82: leaders that change faster than the ttl still expire the lease of the dead. */
  @Test
  void leadersThatChangeTwiceInATtlProlongALeaseByABoundedTimeEach() {
    cluster.elect(BYSTANDER);
    Lease dead = held(HOLDER, "job");
    CompletableFuture<Boolean> waiting = waits(CONTENDER, "job");
    cluster.crash(HOLDER);
    long start = cluster.time().nanos();
    Duration untilTheChange = ttl.dividedBy(2);
    int changes = 0;

    while (!waiting.isDone() && since(start).compareTo(PATIENCE) < 0) {
      pass(untilTheChange, () -> !waiting.isDone());
      if (!waiting.isDone()) {
        changes++;
        cluster.elect(changes % 2 == 0 ? BYSTANDER : CONTENDER);
      }
    }

    assertThat(waiting).isCompletedWithValue(true);
    assertThat(dead.checkAlive()).isFalse();
    assertThat(changes).isGreaterThanOrEqualTo(2);
    Duration interval = LeaseSettings.of("job", CONTENDER, ttl).renewalInterval();
    assertThat(since(start))
        .isLessThanOrEqualTo(ttl.plus(interval.multipliedBy(changes)).plus(ttl.dividedBy(10)));
  }

  /** CASES.md, 118: time without a quorum prolongs a lease by that time and not by a ttl more. */
  @Test
  void quorumLostForTwoTtlsProlongsTheLeaseOfTheDeadByThoseAtMost() {
    cluster.elect(CONTENDER);
    Lease dead = held(HOLDER, "job");
    cluster.crash(HOLDER);
    cluster.disconnect(CONTENDER);
    long start = cluster.time().nanos();
    pass(ttl.multipliedBy(2), () -> true);

    cluster.reconnect(CONTENDER);
    CompletableFuture<Boolean> waiting = waits(CONTENDER, "job");
    pass(ttl.multipliedBy(2), () -> !waiting.isDone());

    assertThat(waiting).isCompletedWithValue(true);
    assertThat(dead.checkAlive()).isFalse();
    assertThat(since(start)).isLessThanOrEqualTo(ttl.multipliedBy(3).plus(ttl.dividedBy(3)));
  }

  /** CASES.md, 83: what is left is told as a time between nothing and the ttl, whoever leads. */
  @Test
  void whatIsLeftIsToldTheSameWayWhileLeadersChange() {
    held(HOLDER, "job");
    List<Duration> told = Collections.synchronizedList(new ArrayList<>());

    for (int i = 0; i < 30; i++) {
      cluster.elect(i % 2 == 0 ? CONTENDER : BYSTANDER);
      for (String node : List.of(HOLDER, CONTENDER, BYSTANDER)) {
        cluster
            .node(node)
            .inspector()
            .find("job")
            .thenAccept(found -> told.add(found.map(LeaseStatus::remaining).orElseThrow()));
      }
      cluster.advance(ttl.dividedBy(10));
    }
    cluster.advance(ttl.multipliedBy(2));

    assertThat(told)
        .hasSizeGreaterThan(60)
        .allSatisfy(remaining -> assertThat(remaining).isBetween(Duration.ZERO, ttl));
  }

  /** CASES.md, 55, 110: a crowd of leases is kept by the same renewals, and dies in few entries. */
  @Test
  void nodeWithTenThousandLeasesDiesInFewEntriesAndHurtsNobody() {
    int crowd = 10_000;
    List<Lease> leases = new ArrayList<>();
    while (leases.size() < crowd) {
      leases.addAll(acquireCrowd(leases.size(), 500));
    }
    Lease other = held(BYSTANDER, "other");
    List<String> losses = Collections.synchronizedList(new ArrayList<>());
    other.onLost(lost -> losses.add(lost.toString()));
    pass(ttl.multipliedBy(3), () -> true);
    assertThat(leases).allMatch(Lease::checkAlive);

    cluster.crash(HOLDER);
    CompletableFuture<Boolean> last = waits(CONTENDER, "crowd-" + (crowd - 1));
    long entriesBefore = cluster.logSize();
    long start = cluster.time().nanos();
    pass(
        ttl.multipliedBy(2),
        () -> {
          assertThat(other.checkAlive()).isTrue();
          return !last.isDone() || anyIsListed("crowd-");
        });

    assertThat(last).isCompletedWithValue(true);
    assertThat(since(start)).isLessThanOrEqualTo(ttl.plus(ttl.dividedBy(2)));
    assertThat(cluster.logSize() - entriesBefore).isLessThan(100);
    assertThat(losses).isEmpty();
  }

  /** As many at once as a node lets wait. */
  private List<Lease> acquireCrowd(int first, int count) {
    List<Lease> leases =
        IntStream.range(first, first + count)
            .mapToObj(i -> LeaseSettings.of("crowd-" + i, HOLDER, ttl))
            .map(settings -> cluster.node(HOLDER).lease(settings))
            .toList();
    List<CompletableFuture<Boolean>> answers =
        leases.stream().map(lease -> lease.acquire().toCompletableFuture()).toList();
    pass(ttl, () -> !answers.stream().allMatch(CompletableFuture::isDone));
    assertThat(answers).allMatch(CompletableFuture::join);
    return leases;
  }

  private boolean anyIsListed(String prefix) {
    CompletableFuture<List<LeaseStatus>> list =
        cluster.node(BYSTANDER).inspector().list().toCompletableFuture();
    pass(ttl, () -> !list.isDone());
    return list.join().stream()
        .filter(status -> status.owner().equals(HOLDER))
        .anyMatch(status -> status.name().startsWith(prefix));
  }

  private Lease held(String node, String name) {
    Lease lease = cluster.node(node).lease(LeaseSettings.of(name, node, ttl));
    CompletableFuture<Boolean> answer = lease.acquire().toCompletableFuture();
    pass(ttl, () -> !answer.isDone());
    assertThat(answer).isCompletedWithValue(true);
    return lease;
  }

  private CompletableFuture<Boolean> waits(String node, String name) {
    return cluster
        .node(node)
        .lease(LeaseSettings.of(name, node, ttl))
        .acquire(PATIENCE)
        .toCompletableFuture();
  }

  /** Lets time pass while something is so. */
  private void pass(Duration atMost, BooleanSupplier condition) {
    long start = cluster.time().nanos();
    while (since(start).compareTo(atMost) < 0 && condition.getAsBoolean()) {
      cluster.advance(STEP);
    }
  }

  private Duration since(long nanos) {
    return Duration.ofNanos(cluster.time().nanos() - nanos);
  }
}
