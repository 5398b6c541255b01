package io.leasehold.concurrent;

import static java.util.Objects.requireNonNull;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs tasks one at a time and in order, on whichever thread comes: no thread of its own, and no
 * lock that is held while one runs. What is confined to a strand needs none: a task sees all that
 * earlier ones did. One that throws is told of, and the next one runs. Safe for many threads.
 */
public final class Strand implements Executor {

  private static final System.Logger LOGGER = System.getLogger(Strand.class.getName());

  private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Consumer<Throwable> failures;

  /** One whose tasks are handlers of users: what they throw is logged. */
  public Strand() {
    this(failure -> LOGGER.log(System.Logger.Level.WARNING, "a handler failed", failure));
  }

  /**
   * @param failures is told what a task throws, on the thread that ran it
   */
  public Strand(Consumer<Throwable> failures) {
    this.failures = requireNonNull(failures, "failures");
  }

  /** Runs a task after those before it, on this thread or on the one that is at it. */
  @Override
  public void execute(Runnable task) {
    add(task);
    runOne();
  }

  /** Adds a task; {@link #runOne()} has to be called once for it. */
  public void add(Runnable task) {
    queue.add(requireNonNull(task, "task"));
  }

  /** Runs the next task, or leaves it to the thread that is running one. */
  public void runOne() {
    if (waiting.getAndIncrement() > 0) {
      return;
    }
    do {
      Runnable next = queue.poll();
      if (next != null) {
        run(next);
      }
    } while (waiting.decrementAndGet() > 0);
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error failure) {
      tell(failure);
    }
  }

  private void tell(Throwable failure) {
    try {
      failures.accept(failure);
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e); // with no memory left even that may fail
    }
  }
}
