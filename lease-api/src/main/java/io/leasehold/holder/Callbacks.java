package io.leasehold.holder;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * Users' code that is to run: collected under the lock, started after it is left. Safe for many
 * threads.
 */
public final class Callbacks {

  private final Executor executor;
  private final Queue<Runnable> due = new ConcurrentLinkedQueue<>();

  /**
   * @param executor runs users' code
   */
  public Callbacks(Executor executor) {
    this.executor = executor;
  }

  /** Keeps a callback for the next {@link #start()}. */
  public void add(Runnable callback) {
    due.add(callback);
  }

  /**
   * Starts what was collected. With an executor that runs on the spot, a callback may come here
   * again, and then runs what its own calls caused before it goes on: so it can wait for it.
   */
  public void start() {
    for (Runnable next = due.poll(); next != null; next = due.poll()) {
      executor.execute(next);
    }
  }
}
