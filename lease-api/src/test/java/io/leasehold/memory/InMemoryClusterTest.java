package io.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.Lease;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What leases in memory have beyond the contract: exact times, determinism, faults. */
final class InMemoryClusterTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration TRUST = Duration.ofSeconds(8);
  private static final Duration NANO = Duration.ofNanos(1);
  private static final LeaseSettings PRINTER =
      LeaseSettings.of("printer", "a", TTL).withAcquireRetries(1);

  private final VirtualTime time = new VirtualTime();
  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);

  private Lease printer(String node) {
    return cluster.node(node).lease(PRINTER);
  }

  private static boolean acquired(Lease lease) {
    CompletableFuture<Boolean> answer = lease.acquire().toCompletableFuture();
    assertThat(answer).as("answered at once").isDone();
    return answer.join();
  }

  private static Throwable failure(CompletableFuture<?> future) {
    try {
      return new AssertionError("it gave " + future.join());
    } catch (CompletionException failed) {
      return failed.getCause() == null ? failed : failed.getCause();
    }
  }

  @Test
  void refusedAcquireIsAnsweredOnceTimeHasPassedForItsAttempts() {
    LeaseSettings defaults = LeaseSettings.of("printer", "b", TTL);
    assertThat(acquired(printer("n1"))).isTrue();

    CompletableFuture<Boolean> answer =
        cluster.node("n2").lease(defaults).acquire().toCompletableFuture();
    time.advance(defaults.acquireRetryDelay().multipliedBy(2).minus(NANO));
    assertThat(answer).isNotDone();
    time.advance(NANO);

    assertThat(answer).isCompletedWithValue(false);
    assertThat(acquired(printer("n3"))).as("with a single attempt").isFalse();
  }

  @Test
  void localDeadlineIsAFifthBeforeTheTtlToTheNanosecond() {
    Lease lease = printer("n1");
    assertThat(acquired(lease)).isTrue();
    cluster.disconnect("n1");

    time.advance(TRUST.minus(NANO));
    assertThat(lease.checkAlive()).isTrue();
    assertThat(lease.remaining()).isEqualTo(NANO);
    time.advance(NANO);

    assertThat(lease.checkAlive()).isFalse();
    assertThat(lease.remaining()).isZero();
  }

  @Test
  void expiryInTheStoreIsTheTtlToTheNanosecond() {
    assertThat(acquired(printer("n1"))).isTrue();
    cluster.crash("n1");
    Lease other = printer("n2");

    time.advance(TTL.minus(NANO));
    assertThat(acquired(other)).isFalse();
    time.advance(NANO);

    assertThat(acquired(other)).isTrue();
  }

  @Test
  void shortestTtlIsKeptAndRunsOut() {
    LeaseSettings shortest = PRINTER.withTtl(Duration.ofMillis(100));
    Lease lease = cluster.node("n1").lease(shortest);
    assertThat(acquired(lease)).isTrue();

    time.advance(Duration.ofMinutes(1));
    assertThat(lease.checkAlive()).isTrue();
    cluster.crash("n1");
    time.advance(Duration.ofMillis(100));

    assertThat(acquired(cluster.node("n2").lease(shortest))).isTrue();
  }

  @Test
  void renewalCountsFromWhenItWasFirstSent() {
    Lease lease = printer("n1");
    assertThat(acquired(lease)).isTrue();
    cluster.disconnect("n1");
    time.advance(Duration.ofSeconds(5));

    // The renewal was first sent at a third of the ttl.
    cluster.pause("n1");
    cluster.reconnect("n1");
    cluster.resume("n1");
    cluster.disconnect("n1");
    time.advance(TTL.dividedBy(3).plus(TRUST).minusSeconds(5).minus(NANO));
    assertThat(lease.checkAlive()).isTrue();
    time.advance(NANO);

    assertThat(lease.checkAlive()).isFalse();
  }

  @Test
  void everythingACallCausesHasHappenedWhenItReturns() {
    Lease holder = printer("n1");
    assertThat(acquired(holder)).isTrue();
    Lease waiter = printer("n2");
    List<String> thread = new ArrayList<>();
    CompletableFuture<Void> handedOver =
        waiter
            .acquire(TTL)
            .thenAccept(held -> thread.add(Thread.currentThread().getName() + held))
            .toCompletableFuture();
    assertThat(handedOver).isNotDone();

    CompletableFuture<Void> released = holder.release().toCompletableFuture();

    assertThat(released).isDone();
    assertThat(thread).containsExactly(Thread.currentThread().getName() + true);
  }

  @Test
  void equalRunsGiveEqualTokens() {
    assertThat(acquired(printer("n1"))).isTrue();
    assertThat(printer("n1").fencingToken()).hasValue(1);
    InMemoryCluster later = InMemoryCluster.onVirtualTime(new VirtualTime(), 1L << 50);
    Lease lease = later.node("n1").lease(PRINTER);
    assertThat(acquired(lease)).isTrue();

    assertThat(lease.fencingToken()).hasValue((1L << 50) + 1);
    assertThatThrownBy(() -> InMemoryCluster.onVirtualTime(time, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void stageThatTimesOutLeavesTheQueueLikeACancelledOne() {
    assertThat(acquired(printer("n1"))).isTrue();
    Lease waiter = printer("n2");
    CompletableFuture<Boolean> answer = waiter.acquire(TTL).toCompletableFuture();

    answer.completeExceptionally(new IllegalStateException("the caller has lost its patience"));
    printer("n1").release();

    assertThat(acquired(printer("n3"))).isTrue();
    assertThat(waiter.checkAlive()).isFalse();
  }

  @Test
  void queueHasALimit() {
    assertThat(acquired(printer("n1"))).isTrue();
    for (int i = 0; i < 1_000; i++) {
      CompletableFuture<Boolean> answer = waiting("w" + i);
      assertThat(answer).isNotDone();
    }

    CompletableFuture<Boolean> tooMany = waiting("one too many");

    assertThat(failure(tooMany)).isInstanceOf(LeaseUnavailableException.class);
  }

  private CompletableFuture<Boolean> waiting(String owner) {
    return cluster.node("n2").lease(PRINTER.withOwner(owner)).acquire(TTL).toCompletableFuture();
  }

  @Test
  void callerThatDoesNotWaitIsRefusedWhileAnotherOneOfTheSameHoldQueues() {
    assertThat(acquired(printer("n1"))).isTrue();
    Lease lease = printer("n2");
    CompletableFuture<Boolean> patient = lease.acquire(TTL).toCompletableFuture();

    boolean impatient = acquired(lease);
    printer("n1").release();

    assertThat(impatient).isFalse();
    assertThat(patient.join()).isTrue();
  }

  @Test
  void cutOffCallsTakeEffectInTheirOrderAfterwards() {
    Lease lease = printer("n1");
    cluster.disconnect("n1");
    CompletableFuture<Boolean> first = lease.acquire().toCompletableFuture();
    CompletableFuture<Void> released = lease.release().toCompletableFuture();
    CompletableFuture<Boolean> second = lease.acquire().toCompletableFuture();
    CompletableFuture<Void> releasedAgain = lease.release().toCompletableFuture();
    CompletableFuture<Boolean> third = lease.acquire().toCompletableFuture();

    time.advance(Duration.ofSeconds(1));
    cluster.reconnect("n1");

    assertThat(first.join()).isTrue();
    assertThat(released).isDone();
    assertThat(second.join()).isTrue();
    assertThat(releasedAgain).isDone();
    assertThat(third.join()).isTrue();
    assertThat(lease.checkAlive()).isTrue();
    assertThat(lease.fencingToken()).hasValue(3);
  }

  @Test
  void cutOffAcquireEndsWhenItsGrantCouldNotBeTrustedAnyMore() {
    Lease lease = printer("n1");
    cluster.disconnect("n1");
    CompletableFuture<Boolean> answer = lease.acquire().toCompletableFuture();

    time.advance(TRUST.minus(NANO));
    assertThat(answer).isNotDone();
    time.advance(NANO);

    assertThat(failure(answer)).isInstanceOf(LeaseIndeterminateException.class);
  }

  @Test
  void pausedNodeActsWhenItIsResumed() {
    Lease lease = printer("n1");
    assertThat(acquired(lease)).isTrue();
    List<LeaseLost> losses = new ArrayList<>();
    Subscription unusedRecorder = lease.onLost(losses::add);

    cluster.pause("n1");
    time.advance(TTL.multipliedBy(2));
    assertThat(losses).isEmpty();
    cluster.resume("n1");
    cluster.resume("n1");

    assertThat(losses)
        .singleElement()
        .extracting(LeaseLost::reason)
        .isEqualTo(LeaseLost.Reason.UNREACHABLE);
  }

  @Test
  void crashedNodeIsSilent() {
    Lease lease = printer("n1");
    assertThat(acquired(lease)).isTrue();
    List<LeaseLost> losses = new ArrayList<>();
    Subscription unusedRecorder = lease.onLost(losses::add);
    CompletableFuture<Boolean> waiting =
        cluster.node("n1").lease(PRINTER.withOwner("b")).acquire(TTL).toCompletableFuture();

    cluster.crash("n1");
    time.advance(TTL.multipliedBy(3));

    assertThat(lease.checkAlive()).isFalse();
    assertThat(losses).isEmpty();
    assertThat(waiting).isNotDone();
    assertThat(failure(lease.acquire().toCompletableFuture()))
        .isInstanceOf(LeaseUnavailableException.class);
    assertThat(cluster.node("n1").lease(PRINTER).checkAlive()).as("a new process").isFalse();
  }

  @Test
  void faultsNeedANodeThatWasMentioned() {
    assertThatThrownBy(() -> cluster.disconnect("n9"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("n9");
  }

  @Test
  void localChecksTakeNoLock() {
    InMemoryLeases node = cluster.node("n1");
    Lease lease = node.lease(PRINTER);
    assertThat(acquired(lease)).isTrue();

    boolean alive =
        node.node()
            .store()
            .call(
                () ->
                    CompletableFuture.supplyAsync(
                            () -> lease.checkAlive() && lease.fencingToken().isPresent())
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join());

    assertThat(alive).isTrue();
  }

  @Test
  void closingTheClusterClosesItsNodes() {
    Lease lease = printer("n1");
    assertThat(acquired(lease)).isTrue();

    cluster.close();
    cluster.close();

    assertThat(lease.checkAlive()).isFalse();
    assertThat(failure(lease.acquire().toCompletableFuture()))
        .isInstanceOf(LeaseUnavailableException.class);
  }

  @Test
  void singleProcessInRealTimeEndsItsThreads() {
    InMemoryLeases leases = InMemoryLeases.create();
    Lease lease = leases.lease(PRINTER);
    CompletableFuture<String> thread =
        lease.acquire().thenApply(held -> Thread.currentThread().getName()).toCompletableFuture();
    assertThat(thread.orTimeout(10, TimeUnit.SECONDS)).succeedsWithin(Duration.ofSeconds(10));
    assertThat(lease.fencingToken().orElseThrow()).isGreaterThan(1L << 50);

    leases.close();
    leases.close();

    assertThat(lease.checkAlive()).isFalse();
    CompletableFuture<Boolean> late = lease.acquire().toCompletableFuture();
    assertThat(failure(late.orTimeout(10, TimeUnit.SECONDS)))
        .isInstanceOf(LeaseUnavailableException.class);
  }
}
