package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import io.leasehold.contract.ContractCluster.Capability;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * What one rule plays on: a cluster, a lease name of its own, and waiting that works for virtual
 * and for real time. Confined to the test's thread.
 */
public final class Scene {

  /** The nodes. */
  public static final String N1 = "n1";

  public static final String N2 = "n2";
  public static final String N3 = "n3";

  private static final AtomicLong SCENES = new AtomicLong();
  private static final Duration FIRST_STEP = Duration.ofMillis(1);
  private static final Duration PATIENCE_MIN = Duration.ofSeconds(10);

  private final ContractCluster cluster;
  private final String name =
      "printer-"
          + Long.toString(System.nanoTime(), Character.MAX_RADIX)
          + "-"
          + SCENES.incrementAndGet();

  /** A rule's play on a cluster; for subjects that are put to a part of the rules only. */
  public Scene(ContractCluster cluster) {
    this.cluster = cluster;
  }

  /** Returns the subject. */
  public ContractCluster cluster() {
    return cluster;
  }

  /** Aborts the rule when the subject cannot do what it needs. */
  public void require(Capability capability) {
    Assumptions.assumeTrue(
        cluster.capabilities().contains(capability), "this subject has no " + capability);
  }

  /** Returns the name of this rule's lease. */
  public String name() {
    return name;
  }

  /** Returns the time to live that {@link #settings} have. */
  public Duration ttl() {
    return cluster.ttl();
  }

  /** Returns a multiple of {@link #ttl()}. */
  public Duration ttls(double factor) {
    return Duration.ofNanos((long) (ttl().toNanos() * factor));
  }

  /** Returns settings for this rule's lease that are refused at once by another holder. */
  public LeaseSettings settings(String owner) {
    return LeaseSettings.of(name, owner, ttl()).withAcquireRetries(1);
  }

  /** Returns a handle for this rule's lease. */
  public Lease lease(String node, String owner) {
    return cluster.node(node).lease(settings(owner));
  }

  /** Returns a handle for this rule's lease on a node, with the node's name as owner. */
  public Lease lease(String node) {
    return lease(node, node);
  }

  /** Returns a handle that has been granted this rule's lease. */
  public Lease held(String node, String owner) {
    Lease lease = lease(node, owner);
    hold(lease);
    return lease;
  }

  /** Returns a handle that has been granted this rule's lease, with the node's name as owner. */
  public Lease held(String node) {
    return held(node, node);
  }

  /** Acquires a lease that is free, and returns the token. */
  public long hold(Lease lease) {
    assertThat(acquired(lease)).as("%s acquires", lease.settings().owner()).isTrue();
    return token(lease);
  }

  /** Acquires without queueing and returns the answer. */
  public boolean acquired(Lease lease) {
    return await("the answer to acquire", lease.acquire());
  }

  /** Releases and waits for the end of it. */
  public void release(Lease lease) {
    await("the release", lease.release());
  }

  /** Returns the token of a lease that is held. */
  public long token(Lease lease) {
    return lease.fencingToken().orElseThrow(() -> new AssertionError("held without a token"));
  }

  /** Returns a node's view of the store; aborts the rule when the subject has none. */
  public LeaseInspector inspector(String node) {
    require(Capability.INSPECTOR);
    return cluster.node(node).inspector();
  }

  /** Reads this rule's lease. */
  public Optional<LeaseStatus> find(String node) {
    return await("the inspector's answer", inspector(node).find(name));
  }

  /** Returns how many wait for this rule's lease, as the store has it. */
  public int waiters() {
    return find(N1).map(LeaseStatus::waiters).orElse(0);
  }

  /** Queues for this rule's lease, and waits until the store has it, so that the order is known. */
  public CompletableFuture<Boolean> queued(Lease lease, int place) {
    CompletableFuture<Boolean> answer = lease.acquire(ttls(20)).toCompletableFuture();
    until(lease.settings().owner() + " has place " + place, () -> waiters() >= place);
    return answer;
  }

  /** Waits until an acquire has ended, and asserts that it did not succeed. */
  public void assertNotGranted(CompletableFuture<Boolean> answer) {
    until("the acquire ends", answer::isDone);
    assertThat(answer.isCompletedExceptionally() || !answer.join()).as("not granted").isTrue();
  }

  /** Starts a node again, so that its session is newer than every other. */
  public void restart(String node) {
    cluster.close(node);
    LeaseProvider unusedYet = cluster.node(node);
  }

  /**
   * Whether at most one of two handles is alive. The later holder has to be read first: if both
   * answers are true then, both were alive at the moment of the second reading.
   */
  public static boolean notBoth(Lease later, Lease earlier) {
    boolean laterAlive = later.checkAlive();
    boolean earlierAlive = earlier.checkAlive();
    return !(laterAlive && earlierAlive);
  }

  /** Ends the hold of a lease as an operator would, and waits until its handle says so. */
  public void revoke(String operatorsNode, Lease lease) {
    long token = token(lease);
    CompletionStage<Boolean> revoked =
        inspector(operatorsNode).revoke(lease.settings().name(), token, "the contract asks for it");
    assertThat(await("the revocation", revoked)).as("revoked").isTrue();
    until("the holder hears of its revocation", () -> !holds(lease, token));
  }

  /** Returns whether a lease is alive with this very token. */
  public boolean holds(Lease lease, long token) {
    return lease.fencingToken().equals(OptionalLong.of(token));
  }

  /** Lets time pass. */
  public void advance(Duration duration) {
    cluster.advance(duration);
  }

  /** Lets news and callbacks arrive: a tenth of the ttl. */
  public void settle() {
    advance(ttls(0.1));
  }

  /** Waits for a stage and returns its result; fails with its failure. */
  public <T> T await(String what, CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    until(what, future::isDone);
    return future.join();
  }

  /** Waits for a stage that must fail, and returns why it did. */
  public Throwable awaitFailure(String what, CompletionStage<?> stage) {
    CompletableFuture<?> future = stage.toCompletableFuture();
    until(what, future::isDone);
    try {
      return Assertions.fail(what + " was to fail, but gave " + future.join());
    } catch (CompletionException failed) {
      return failed.getCause() == null ? failed : failed.getCause();
    }
  }

  /** Lets time pass, in growing steps, until something is so; fails when it takes too long. */
  public void until(String what, BooleanSupplier condition) {
    long start = cluster.time().nanos();
    long patience = Math.max(PATIENCE_MIN.toNanos(), ttls(6).toNanos());
    Duration step = FIRST_STEP;
    while (!condition.getAsBoolean()) {
      if (cluster.time().nanos() - start > patience) {
        Assertions.fail("waited " + Duration.ofNanos(patience) + " for " + what);
      }
      cluster.advance(step);
      Duration doubled = step.multipliedBy(2);
      step = doubled.compareTo(ttls(0.02)) < 0 ? doubled : step;
    }
  }

  /** Lets time pass in steps and asserts before and after each that something is so. */
  public void always(Duration duration, String what, BooleanSupplier condition) {
    long start = cluster.time().nanos();
    Duration step = ttls(0.02);
    assertThat(condition.getAsBoolean()).as(what).isTrue();
    while (cluster.time().nanos() - start < duration.toNanos()) {
      cluster.advance(step);
      assertThat(condition.getAsBoolean()).as(what).isTrue();
    }
  }

  /** Returns how much time has passed since a reading of the cluster's time. */
  public Duration since(long nanos) {
    return Duration.ofNanos(cluster.time().nanos() - nanos);
  }
}
