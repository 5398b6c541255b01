package io.leasehold.concurrent;

import static java.util.Objects.requireNonNull;

import io.leasehold.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What has to stop before a provider gives up its leases: for those who write providers, as {@link
 * io.leasehold.LeaseProvider#beforeClose} asks. Safe for many threads.
 */
public final class BeforeClose {

  private static final System.Logger LOGGER = System.getLogger(BeforeClose.class.getName());

  private final Object lock = new Object();
  private final List<Entry> entries = new ArrayList<>();
  private final AtomicLong longestTtlNanos = new AtomicLong();
  private @Nullable CompletableFuture<Void> stopped;

  /** Notes that a lease of this time to live was asked for: work under it is waited for so long. */
  public void allow(Duration ttl) {
    longestTtlNanos.accumulateAndGet(ttl.toNanos(), Math::max);
  }

  /** Returns how long all of it is waited for: the longest time to live that was asked for. */
  public Duration limit() {
    return Duration.ofNanos(longestTtlNanos.get());
  }

  /** Adds work that has to stop; at once, if the rest has been told to. */
  public Subscription add(Supplier<? extends CompletionStage<?>> stop) {
    Entry entry = new Entry(requireNonNull(stop, "stop"));
    synchronized (lock) {
      if (stopped == null) {
        entries.add(entry);
        return () -> remove(entry);
      }
    }
    CompletableFuture<?> unusedEnd = entry.stop();
    return () -> {};
  }

  private void remove(Entry entry) {
    synchronized (lock) {
      entries.remove(entry);
    }
  }

  /**
   * Has all of it stop, the first time that it is called; returns what completes, never
   * exceptionally, when it has.
   */
  public CompletableFuture<Void> begin() {
    CompletableFuture<Void> all;
    List<Entry> due;
    synchronized (lock) {
      if (stopped != null) {
        return stopped.copy();
      }
      all = new CompletableFuture<>();
      stopped = all;
      due = List.copyOf(entries);
    }
    CompletableFuture<Void> unusedEnd =
        CompletableFuture.allOf(due.stream().map(Entry::stop).toArray(CompletableFuture<?>[]::new))
            .thenRun(() -> all.complete(null));
    return all.copy();
  }

  /**
   * As {@link #begin()}, and waits for it, within the {@link #limit()}; so does every other caller.
   * An interrupt does not shorten that, and is kept.
   */
  public void run() {
    CompletableFuture<Void> stopped = begin();
    long deadlineNanos = System.nanoTime() + limit().toNanos();
    boolean interrupted = false;
    boolean over = false;
    while (!over) {
      try {
        stopped.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        over = true;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (TimeoutException e) {
        over = true;
        LOGGER.log(
            System.Logger.Level.WARNING,
            "Work under a lease has not stopped within "
                + limit()
                + "; the provider is closed, and its leases given up, while it still runs");
      } catch (ExecutionException e) {
        throw new AssertionError("a failure to stop is logged, not passed on", e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** One piece of work, distinct from an equal one. */
  private static final class Entry {
    private final Supplier<? extends CompletionStage<?>> action;

    Entry(Supplier<? extends CompletionStage<?>> action) {
      this.action = action;
    }

    CompletableFuture<?> stop() {
      try {
        return action.get().toCompletableFuture().handle((done, failure) -> logged(failure));
      } catch (RuntimeException | Error failure) {
        return CompletableFuture.completedFuture(logged(failure));
      }
    }

    private static boolean logged(@Nullable Throwable failure) {
      if (failure != null) {
        LOGGER.log(System.Logger.Level.WARNING, "Work under a lease did not stop well", failure);
      }
      return failure == null;
    }
  }
}
