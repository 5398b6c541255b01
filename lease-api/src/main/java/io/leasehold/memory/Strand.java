package io.leasehold.memory;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Callbacks of one handler: one at a time and in order, on whichever thread comes. Safe for many
 * threads.
 */
final class Strand {

  private static final System.Logger LOGGER = System.getLogger(Strand.class.getName());

  private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /** Adds a callback; {@link #runOne()} has to be called once for it. */
  void add(Runnable callback) {
    queue.add(callback);
  }

  /** Runs the next callback, or leaves it to the thread that is running one. */
  void runOne() {
    if (waiting.getAndIncrement() > 0) {
      return;
    }
    do {
      Runnable next = queue.poll();
      if (next != null) {
        runLogged(next);
      }
    } while (waiting.decrementAndGet() > 0);
  }

  private static void runLogged(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException | Error failure) {
      LOGGER.log(System.Logger.Level.WARNING, "a handler failed", failure);
    }
  }
}
