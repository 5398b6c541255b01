package io.leasehold.raft;

import java.util.concurrent.CountDownLatch;

/** Keeps the JVM running after its main thread has ended, for as long as it is open. */
final class KeepAlive implements AutoCloseable {

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  private KeepAlive(String nodeId) {
    thread = new Thread(this::stay, "lease-node-" + nodeId);
    thread.setDaemon(false);
  }

  static KeepAlive start(String nodeId) {
    KeepAlive started = new KeepAlive(nodeId);
    started.thread.start();
    return started;
  }

  private void stay() {
    while (closed.getCount() > 0) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        // Only closing ends it.
      }
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it ends by itself now
    }
  }
}
