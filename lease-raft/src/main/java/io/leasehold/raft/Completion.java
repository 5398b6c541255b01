package io.leasehold.raft;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a call completes with, whoever answers it, on any thread. Stages that depend on it run on
 * the callback executor, since they may block. A caller that waits in {@code get} or {@code join}
 * needs no other thread to wake it, so it is woken at once and completes the future itself.
 *
 * <p>As with any future its owner may end it first, by cancelling it or otherwise. Safe for many
 * threads.
 */
final class Completion<T> extends CompletableFuture<T> {

  private final Executor callbacks;
  private final Runnable whenAnswered;
  private final Runnable ifEndedByOwner;
  private final Measure<T> measure;

  /** Open until there is an answer, or the owner has ended it. */
  private final CountDownLatch known = new CountDownLatch(1);

  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicReference<@Nullable Runnable> unpublished = new AtomicReference<>();

  /**
   * @param whenAnswered told of an answer, not of a failure, on the thread that has it
   * @param ifEndedByOwner told at once, on the owner's thread
   * @param measure told once how it has ended
   */
  Completion(
      Executor callbacks, Runnable whenAnswered, Runnable ifEndedByOwner, Measure<T> measure) {
    this.callbacks = callbacks;
    this.whenAnswered = whenAnswered;
    this.ifEndedByOwner = ifEndedByOwner;
    this.measure = measure;
  }

  /** Is told how a call has ended, on whichever thread has ended it. */
  interface Measure<T> {

    /** With an answer, or a failure. */
    void answered(@Nullable T value, @Nullable Throwable failure);

    /** Its owner has ended it before. */
    void endedByOwner();
  }

  /** Completes it, unless it has been answered or ended before. */
  void answer(@Nullable T value) {
    answer(value, () -> {});
  }

  /** As {@link #answer(Object)}. */
  void fail(Throwable failure) {
    toBePublished(
        () -> {
          if (super.completeExceptionally(failure)) {
            measure.answered(null, failure);
          }
        });
  }

  /**
   * As {@link #answer(Object)}.
   *
   * @param ifTooLate told if it has been ended before, so that nobody gets this answer
   */
  void answer(@Nullable T value, Runnable ifTooLate) {
    whenAnswered.run();
    toBePublished(
        () -> {
          if (super.complete(value)) {
            measure.answered(value, null);
          } else {
            ifTooLate.run();
          }
        });
  }

  private void toBePublished(Runnable publication) {
    if (!unpublished.compareAndSet(null, publication)) {
      callbacks.execute(publication); // another answer is on its way
      return;
    }
    boolean waitedFor = waiting.get() > 0;
    known.countDown();
    if (!waitedFor) {
      callbacks.execute(this::publish);
    }
  }

  private void publish() {
    Runnable publication = unpublished.getAndSet(null);
    if (publication != null) {
      publication.run();
    }
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    if (!isDone()) {
      await(new Wait(Long.MAX_VALUE, TimeUnit.NANOSECONDS));
    }
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!isDone()) {
      await(new Wait(timeout, unit));
    }
    return super.get(isKnown() ? timeout : 0, unit);
  }

  @Override
  public T join() {
    boolean interrupted = false;
    boolean waited = isDone();
    while (!waited) {
      try {
        await(new Wait(Long.MAX_VALUE, TimeUnit.NANOSECONDS));
        waited = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return super.join();
  }

  private boolean isKnown() {
    return known.getCount() == 0;
  }

  /** Whoever leaves this sees to it that what is known is published: an answer relies on it. */
  private void await(Wait wait) throws InterruptedException {
    waiting.incrementAndGet();
    try {
      ForkJoinPool.managedBlock(wait);
    } finally {
      waiting.decrementAndGet();
      if (getNumberOfDependents() == 0) {
        publish();
      } else if (unpublished.get() != null) {
        callbacks.execute(this::publish);
      }
    }
  }

  /** A thread's wait for the answer; a pool of Java's own puts another thread in its place. */
  private final class Wait implements ForkJoinPool.ManagedBlocker {
    private final long timeout;
    private final TimeUnit unit;

    Wait(long timeout, TimeUnit unit) {
      this.timeout = timeout;
      this.unit = unit;
    }

    @Override
    public boolean block() throws InterruptedException {
      boolean unused = known.await(timeout, unit);
      return true;
    }

    @Override
    public boolean isReleasable() {
      return isKnown();
    }
  }

  // What its owner may do

  @Override
  public boolean complete(@Nullable T value) {
    return endedByOwner(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    return endedByOwner(super.completeExceptionally(failure));
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return endedByOwner(super.cancel(mayInterruptIfRunning));
  }

  @Override
  public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
    executor.execute(
        () -> {
          try {
            boolean unused = complete(supplier.get());
          } catch (RuntimeException | Error e) {
            boolean unused = completeExceptionally(e);
          }
        });
    return this;
  }

  @Override
  public void obtrudeValue(@Nullable T value) {
    super.obtrudeValue(value);
    known.countDown();
  }

  @Override
  public void obtrudeException(Throwable failure) {
    super.obtrudeException(failure);
    known.countDown();
  }

  private boolean endedByOwner(boolean ended) {
    if (ended) {
      known.countDown();
      ifEndedByOwner.run();
      measure.endedByOwner();
    }
    return ended;
  }
}
