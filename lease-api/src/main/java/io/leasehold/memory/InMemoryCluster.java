package io.leasehold.memory;

import static java.util.Objects.requireNonNull;

import io.leasehold.LeaseSettings;
import io.leasehold.holder.CallbackThreads;
import io.leasehold.holder.Callbacks;
import io.leasehold.time.ExecutorTimer;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import io.leasehold.time.VirtualTime;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Several processes with one lease store, all in memory: for testing how a program bears the loss
 * of a lease. Each node is a {@link InMemoryLeases provider} with a session of its own; nodes
 * exclude each other as processes do. Safe for many threads.
 *
 * <pre>{@code
 * VirtualTime time = new VirtualTime();
 * InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
 * Lease lease = cluster.node("n1").lease(settings);
 * lease.acquire();
 *
 * cluster.disconnect("n1");
 * time.advance(settings.ttl());
 *
 * assertThat(lease.checkAlive()).isFalse();
 * }</pre>
 *
 * <p>On virtual time everything is deterministic. What falls due runs on the thread that advances
 * time; what a call causes at once has happened, callbacks included, when the call returns. The
 * store answers a connected node at once. What takes time takes it only when time is advanced: an
 * acquire that is refused is tried again after {@link LeaseSettings#acquireRetryDelay()}, twice by
 * default, and its stage is not done before, so that a {@code join()} would wait for ever. With a
 * single attempt the answer is there:
 *
 * <pre>{@code
 * LeaseSettings once = settings.withAcquireRetries(1);
 * boolean acquired = cluster.node("n2").lease(once).acquire().toCompletableFuture().join();
 * }</pre>
 *
 * <p>In real time callbacks have threads of their own, and may wait for each other.
 */
public final class InMemoryCluster implements AutoCloseable {

  private static final int TOKEN_BASE_SHIFT = 20;

  private final SharedStore store;
  private final Runnable closeThreads;
  private final Map<String, InMemoryLeases> nodes = new LinkedHashMap<>();

  private InMemoryCluster(
      Ticker ticker, Timer timer, Callbacks callbacks, long tokenBase, Runnable closeThreads) {
    this.store = new SharedStore(ticker, timer, callbacks, tokenBase);
    this.closeThreads = closeThreads;
  }

  /** Returns a cluster on time that is turned by hand. Its tokens are 1, 2, 3… */
  public static InMemoryCluster onVirtualTime(VirtualTime time) {
    return onVirtualTime(time, 0);
  }

  /**
   * Returns a cluster on time that is turned by hand.
   *
   * @param tokenBase every token is greater
   */
  public static InMemoryCluster onVirtualTime(VirtualTime time, long tokenBase) {
    requireNonNull(time, "time");
    return new InMemoryCluster(
        time, time, new Callbacks(Runnable::run), requireTokenBase(tokenBase), () -> {});
  }

  /** Returns a cluster in real time whose tokens are greater than those of clusters before it. */
  public static InMemoryCluster inRealTime() {
    return inRealTime(Clock.systemUTC().instant().getEpochSecond() << TOKEN_BASE_SHIFT);
  }

  /**
   * Returns a cluster in real time.
   *
   * @param tokenBase every token is greater
   */
  public static InMemoryCluster inRealTime(long tokenBase) {
    requireTokenBase(tokenBase);
    ExecutorTimer timer = new ExecutorTimer("lease-timer");
    CallbackThreads threads = new CallbackThreads();
    return new InMemoryCluster(
        System::nanoTime,
        timer,
        new Callbacks(threads),
        tokenBase,
        () -> {
          timer.close();
          threads.close();
        });
  }

  private static long requireTokenBase(long tokenBase) {
    if (tokenBase < 0) {
      throw new IllegalArgumentException("the token base must not be negative: " + tokenBase);
    }
    return tokenBase;
  }

  /**
   * Returns the provider of a running node. Starts the node at its first mention, and again, with a
   * new session, after it was closed or has crashed.
   */
  public InMemoryLeases node(String name) {
    requireNonNull(name, "name");
    return store.call(
        () -> {
          InMemoryLeases running = nodes.get(name);
          if (running == null || running.node().hasEnded()) {
            running = newNode(name, () -> {});
            nodes.put(name, running);
          }
          return running;
        });
  }

  InMemoryLeases newNode(String name, Runnable closed) {
    return store.call(() -> new InMemoryLeases(new Node(store, name), closed));
  }

  /**
   * Cuts a node off: nothing it sends is answered, nothing reaches it, and it is not told so. Its
   * leases run out in the store after their time to live, and are lost to the node before that.
   */
  public void disconnect(String node) {
    with(node, Node::disconnect);
  }

  /** Mends {@link #disconnect}: what the node sent meanwhile arrives now. */
  public void reconnect(String node) {
    with(node, Node::reconnect);
  }

  /**
   * Ends a node's process on the spot: nothing is released, and no callback runs any more. What was
   * asked of it before is never answered.
   */
  public void crash(String node) {
    with(node, Node::crash);
  }

  /**
   * Stops a node while time goes on, as a long collection or SIGSTOP does: its timers and callbacks
   * wait for {@link #resume}. {@code checkAlive} may still be called, and tells what the node would
   * read at its first instruction after the pause.
   */
  public void pause(String node) {
    with(node, Node::pause);
  }

  /** Mends {@link #pause}: what fell due meanwhile happens now. */
  public void resume(String node) {
    with(node, Node::resume);
  }

  private void with(String name, Consumer<Node> action) {
    store.run(
        () -> {
          InMemoryLeases leases = nodes.get(name);
          if (leases == null) {
            throw new IllegalArgumentException("no such node: " + name);
          }
          action.accept(leases.node());
        });
  }

  /** Closes every node, and ends the threads. Idempotent; throws nothing. */
  @Override
  public void close() {
    store.run(() -> nodes.values().forEach(leases -> leases.node().close()));
    closeThreads.run();
  }
}
