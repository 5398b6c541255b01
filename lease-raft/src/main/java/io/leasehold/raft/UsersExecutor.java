package io.leasehold.raft;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executor a user brought, for handlers and completions. What it refuses, full or shut down,
 * runs once all the same, on another executor: a loss that is not told, or a call that never
 * completes, would be worse than a thread that the user did not choose. Safe for many threads.
 */
final class UsersExecutor implements Executor {

  private static final Logger LOG = LoggerFactory.getLogger(UsersExecutor.class);

  private final Executor users;
  private final Executor instead;
  private final AtomicBoolean refusing = new AtomicBoolean();

  /**
   * @param instead runs what the user's executor refuses
   */
  UsersExecutor(Executor users, Executor instead) {
    this.users = users;
    this.instead = instead;
  }

  @Override
  public void execute(Runnable task) {
    Once once = new Once(task);
    try {
      users.execute(once);
      refusing.set(false);
    } catch (RuntimeException | Error e) {
      tellRefusal(e);
      instead.execute(once);
    }
  }

  private void tellRefusal(Throwable refusal) {
    if (refusing.compareAndSet(false, true)) {
      LOG.warn(
          "The callback executor refuses tasks, which run on threads of the node's own until it"
              + " takes them again: give it room for a task of each call and handler",
          refusal);
    }
  }

  /** Some executors take a task and then throw: it must not run twice. */
  private static final class Once implements Runnable {
    private final Runnable task;
    private final AtomicBoolean begun = new AtomicBoolean();

    Once(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (begun.compareAndSet(false, true)) {
        CallbackExecutor.run(task);
      }
    }
  }
}
