package io.leasehold.singleton;

import io.leasehold.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One run of the task, under one hold. Safe for many threads. */
final class Term implements SingletonContext {

  private static final System.Logger LOGGER = System.getLogger(Term.class.getName());

  private final Object lock = new Object();
  private final Lease lease;
  private final long fencingToken;
  private final List<Runnable> actions = new ArrayList<>();
  private volatile boolean cancelled;
  private volatile boolean over;

  Term(Lease lease, long fencingToken) {
    this.lease = lease;
    this.fencingToken = fencingToken;
  }

  @Override
  public long fencingToken() {
    return fencingToken;
  }

  @Override
  public boolean checkAlive() {
    return !cancelled && isHeld();
  }

  /** Whether the hold that it began with is still there; for a cancelled task, too. */
  boolean isHeld() {
    if (over) {
      return false;
    }
    if (lease.checkAlive() && lease.fencingToken().orElse(-1) == fencingToken) {
      return true;
    }
    over = true;
    return false;
  }

  @Override
  public Duration remaining() {
    Duration remaining = lease.remaining();
    return checkAlive() ? remaining : Duration.ZERO;
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void onCancel(Runnable action) {
    synchronized (lock) {
      if (!cancelled) {
        actions.add(action);
        return;
      }
    }
    runLogged(action);
  }

  /** Tells the task to end; the first call counts. */
  void cancel() {
    List<Runnable> due;
    synchronized (lock) {
      cancelled = true;
      due = List.copyOf(actions);
      actions.clear();
    }
    due.forEach(Term::runLogged);
  }

  private static void runLogged(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error failure) {
      LOGGER.log(System.Logger.Level.WARNING, "Cancelling a singleton's task failed", failure);
    }
  }
}
