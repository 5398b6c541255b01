package io.leasehold.holder;

import io.leasehold.LeaseUnavailableException;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One process' side: its lock, and what leaves it. Methods that say so are safe for many threads;
 * the others are confined to the lock.
 */
final class Node {

  private static final System.Logger LOGGER = System.getLogger(Node.class.getName());

  private final Object lock = new Object();
  private final ClaimStore store;
  private final Ticker ticker;
  private final Timer timer;
  private final Callbacks callbacks;
  private final Queue<Runnable> requests = new ConcurrentLinkedQueue<>();
  private final HoldTable<Hold> holds = new HoldTable<>();
  private final Set<GiveBack> givenBack = new LinkedHashSet<>();
  private final CompletableFuture<Void> everythingGivenBack = new CompletableFuture<>();
  private boolean closed;

  Node(ClaimStore store, Ticker ticker, Timer timer, Callbacks callbacks) {
    this.store = store;
    this.ticker = ticker;
    this.timer = timer;
    this.callbacks = callbacks;
  }

  ClaimStore store() {
    return store;
  }

  HoldTable<Hold> holds() {
    assert Thread.holdsLock(lock) : "the table belongs to the node's lock";
    return holds;
  }

  /** Safe for many threads. */
  long nanos() {
    return ticker.nanos();
  }

  /**
   * Runs an action under the lock and then, outside it, what the action has sent and called back.
   * Safe for many threads.
   */
  <T> T call(Supplier<T> action) {
    T result;
    synchronized (lock) {
      result = action.get();
    }
    if (!Thread.holdsLock(lock)) {
      for (Runnable next = requests.poll(); next != null; next = requests.poll()) {
        next.run();
      }
      callbacks.start();
    }
    return result;
  }

  /** As {@link #call}, without a result. Safe for many threads. */
  void run(Runnable action) {
    boolean unusedResult =
        call(
            () -> {
              action.run();
              return true;
            });
  }

  /** Has something done outside the lock. */
  void send(Runnable request) {
    requests.add(request);
  }

  /** Hands a request to the store, and hears the answer under the lock. */
  <R> void ask(
      Supplier<CompletionStage<R>> request, Consumer<R> answered, Consumer<Throwable> failed) {
    send(
        () -> {
          CompletionStage<?> unusedDependent =
              started(request)
                  .whenComplete(
                      (answer, failure) ->
                          run(
                              () -> {
                                if (failure == null) {
                                  answered.accept(answer);
                                } else {
                                  failed.accept(causeOf(failure));
                                }
                              }));
        });
  }

  private static <R> CompletionStage<R> started(Supplier<CompletionStage<R>> request) {
    try {
      return request.get();
    } catch (RuntimeException notHandedOver) {
      return CompletableFuture.failedFuture(notHandedOver);
    }
  }

  private static Throwable causeOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? causeOf(cause) : failure;
  }

  /** Runs a task under the lock later. */
  Timer.Cancellable schedule(Duration delay, Runnable task) {
    return timer.schedule(delay, () -> run(task));
  }

  /** As {@link #schedule(Duration, Runnable)}, at a moment of {@link #nanos()}. */
  Timer.Cancellable scheduleAt(long nanos, Runnable task) {
    return schedule(Duration.ofNanos(Math.max(0, nanos - nanos())), task);
  }

  /** Runs users' code outside the lock. */
  void later(Runnable callback) {
    callbacks.add(callback);
  }

  /** Notes something that went wrong and that nobody waits for. */
  static void logged(String what, Throwable failure) {
    LOGGER.log(System.Logger.Level.DEBUG, what, failure);
  }

  // --- The end --------------------------------------------------------------------------------

  /** Returns why nothing new is begun; empty while the node runs. */
  Optional<LeaseUnavailableException> refusal() {
    return closed
        ? Optional.of(new LeaseUnavailableException("the provider is closed"))
        : Optional.empty();
  }

  void begun(GiveBack giveBack) {
    givenBack.add(giveBack);
  }

  void ended(GiveBack giveBack) {
    givenBack.remove(giveBack);
    settle();
  }

  private void settle() {
    if (closed && givenBack.isEmpty()) {
      // Nobody but the thread that closes depends on it.
      everythingGivenBack.complete(null);
    }
  }

  /**
   * Begins the end: nothing new, and what is held is given back.
   *
   * @return completes when that is done
   */
  CompletableFuture<Void> close() {
    if (!closed) {
      closed = true;
      holds.inUse().forEach(Hold::close);
      settle();
    }
    return everythingGivenBack;
  }

  /** Ends the end: what could not be given back by now is not waited for. */
  void abandon() {
    List.copyOf(givenBack).forEach(GiveBack::abandon);
  }
}
