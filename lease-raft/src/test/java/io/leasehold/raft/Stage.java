package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.raft.ManualStore.OtherNode;
import io.leasehold.raft.meters.HolderMeters;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.SessionId;
import io.leasehold.time.Ticker;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One node on a {@link ManualStore}, with owners a, b and c and the lease {@code printer}; and a
 * contender on another node, whose commands take effect at once. The node's callbacks run when time
 * is advanced, also by nothing.
 */
final class Stage {

  static final String PRINTER = "printer";
  static final Duration TTL = Duration.ofSeconds(3);

  /** How long a hold may be believed in after a renewal. */
  static final Duration LIFE = Duration.ofMillis(2_400);

  /** Longer than any batch waits for more calls. */
  static final Duration A_MOMENT = Duration.ofMillis(2);

  static final Duration INTERVAL = Duration.ofSeconds(1);

  final VirtualTime time = new VirtualTime();

  /** What the node's clock shows: the time, and what it has slept through. */
  final Ticker clock = this::clockNanos;

  final ManualStore store;
  final HolderSide holder;
  final List<LeaseLost> losses = new ArrayList<>();
  private Runnable whenCallbackIsDue = () -> {};
  private long sleptNanos;
  private long sessions;
  private final OtherNode other;

  Stage() {
    this(Limits.DEFAULT);
  }

  Stage(Limits limits) {
    this(limits, store -> HolderMeters.NONE);
  }

  Stage(Limits limits, Function<LeaseStore, HolderMeters> meters) {
    store = new ManualStore(clock, limits);
    other = store.new OtherNode("n2", 1_000);
    holder =
        new HolderSide(
            store,
            clock,
            time,
            this::callback,
            () -> new SessionId(1, ++sessions),
            HolderSide.Patience.USUAL,
            meters.apply(store));
    settle();
  }

  private long clockNanos() {
    return time.nanos() + sleptNanos;
  }

  private void callback(Runnable callback) {
    whenCallbackIsDue.run();
    time.schedule(Duration.ZERO, callback);
  }

  /** Has something looked at whenever a callback is handed to the executor. */
  void whenCallbackIsDue(Runnable look) {
    whenCallbackIsDue = look;
  }

  /** Lets the clocks go on while no timer of the node rings, as a pause of its process does. */
  void standStill(Duration duration) {
    sleptNanos += duration.toNanos();
  }

  static LeaseSettings settings(String owner) {
    return LeaseSettings.of(PRINTER, owner, TTL).withAcquireRetries(1);
  }

  /** Returns a handle whose losses are written down. */
  Lease lease(String owner) {
    Lease lease = holder.lease(settings(owner));
    lease.onLost(losses::add);
    return lease;
  }

  /** Returns a handle of owner a that holds the lease. */
  Lease held() {
    Lease lease = lease("a");
    assertThat(result(lease.acquire())).isTrue();
    return lease;
  }

  SessionId session() {
    return holder.session().orElseThrow();
  }

  void advance(Duration duration) {
    time.advance(duration);
  }

  /** Runs what is due. */
  void settle() {
    time.runDue();
  }

  /** Returns what a stage that is done has completed with. */
  <T> T result(CompletionStage<T> stage) {
    settle();
    CompletableFuture<T> future = stage.toCompletableFuture();
    assertThat(future).as("is done").isDone();
    return future.join();
  }

  /** Returns why a stage that is done has failed. */
  Throwable failure(CompletionStage<?> stage) {
    settle();
    CompletableFuture<?> future = stage.toCompletableFuture();
    assertThat(future).as("has failed").isCompletedExceptionally();
    try {
      throw new AssertionError("completed with " + future.join());
    } catch (CompletionException failed) {
      Throwable cause = failed.getCause();
      return cause == null ? failed : cause;
    }
  }

  boolean isDone(CompletionStage<?> stage) {
    settle();
    return stage.toCompletableFuture().isDone();
  }

  // The other node

  /** The contender asks once. */
  Reply otherAcquires() {
    return otherAcquires(false);
  }

  Reply otherAcquires(boolean queued) {
    return otherDoes(
        new Command.Acquire(PRINTER, "other", TTL.toNanos(), ++acquisitions, queued, false));
  }

  private long acquisitions;

  Reply otherDoes(Command command) {
    return other.does(command).replies().get(0);
  }

  void otherReleases() {
    HeldLease lease = store.table().lease(PRINTER).orElseThrow();
    assertThat(otherDoes(new Command.Release(PRINTER, lease.token())))
        .isInstanceOf(Reply.Released.class);
  }

  /** The contender's node lives on. */
  void otherRenews() {
    other.does();
  }

  /** An operator on the other node ends the hold. */
  void otherRevokes() {
    HeldLease lease = store.table().lease(PRINTER).orElseThrow();
    assertThat(otherDoes(new Command.Revoke(PRINTER, lease.token(), "maintenance", false)))
        .isInstanceOf(Reply.Revoked.class);
  }

  // What is in the store

  /** Returns the owner that has the lease in the store. */
  Optional<String> holderInStore() {
    return store.table().lease(PRINTER).map(lease -> lease.holder().owner());
  }

  long tokenInStore() {
    return store.table().lease(PRINTER).orElseThrow().token();
  }

  int waitersInStore() {
    return store.table().lease(PRINTER).map(lease -> lease.queue().size()).orElse(0);
  }

  /** Asserts that one loss was told, for this reason. */
  void assertLost(LeaseLost.Reason reason) {
    settle();
    assertThat(losses).extracting(LeaseLost::reason).containsExactly(reason);
  }

  void assertNothingLost() {
    settle();
    assertThat(losses).isEmpty();
  }
}
