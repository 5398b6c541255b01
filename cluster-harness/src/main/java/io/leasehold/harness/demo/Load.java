package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Callers that acquire and release leases of their own on all nodes, for as long as this is open. A
 * call that fails is made again on the next node.
 */
final class Load implements AutoCloseable {

  private static final int CALLERS = 4;
  private static final Duration TTL = Duration.ofSeconds(5);
  private static final long PAUSE_NANOS = 20_000_000;

  private final Stage stage;
  private final List<NodeClient> nodes;
  private final List<Thread> callers = new ArrayList<>();
  private final AtomicLong cycles = new AtomicLong();
  private final AtomicLong lastNanos = new AtomicLong(System.nanoTime());
  private final AtomicLong longestNanos = new AtomicLong();
  private volatile boolean over;

  private Load(Stage stage) {
    this.stage = stage;
    this.nodes = stage.cluster().ids().stream().map(stage::node).toList();
  }

  static Load on(Stage stage) {
    Load load = new Load(stage);
    for (int i = 0; i < CALLERS; i++) {
      int number = i;
      Thread caller = new Thread(() -> load.call(number), "load-" + i);
      caller.setDaemon(true);
      caller.start();
      load.callers.add(caller);
    }
    return load;
  }

  private void call(int number) {
    String lease = "load-" + number;
    for (int at = number; !over; ) {
      NodeClient node = nodes.get(at % nodes.size());
      try {
        if (NodeClient.await(node.acquire(lease, "load", TTL, Duration.ZERO)).acquired()) {
          NodeClient.await(node.release(lease, "load"));
          served();
        } else {
          pause();
        }
      } catch (NodeCallException e) {
        at++;
        pause();
      }
    }
  }

  private void served() {
    cycles.incrementAndGet();
    long now = System.nanoTime();
    long gap = now - lastNanos.getAndSet(now);
    longestNanos.accumulateAndGet(gap, Math::max);
  }

  private static void pause() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  /** Puts to the test that they got leases, and tells the longest time in which nobody did. */
  void promiseServed() {
    stage.promise(
        cycles.get() > 0,
        "Others went on acquiring and releasing: %d times".formatted(cycles.get()),
        "the longest time without: " + Figures.of(Duration.ofNanos(longestNanos.get())));
  }

  @Override
  public void close() {
    over = true;
    for (Thread caller : callers) {
      try {
        caller.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
