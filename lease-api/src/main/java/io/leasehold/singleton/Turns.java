package io.leasehold.singleton;

import io.leasehold.concurrent.Strand;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one at a time and in order, and after them, outside of all of them, the users' code
 * that they leave, which may block. Safe for many threads.
 */
final class Turns {

  private final Strand strand = new Strand();
  private final Queue<Runnable> afterwards = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Thread current;

  /** Takes a turn, now or after the one under way. */
  void take(Runnable task) {
    boolean inTurn = current == Thread.currentThread();
    strand.execute(
        () -> {
          current = Thread.currentThread();
          try {
            task.run();
          } finally {
            current = null;
          }
        });
    if (!inTurn) {
      for (Runnable next = afterwards.poll(); next != null; next = afterwards.poll()) {
        next.run();
      }
    }
  }

  /** Leaves something to be run outside of the turns. */
  void leave(Runnable usersCode) {
    afterwards.add(usersCode);
  }
}
