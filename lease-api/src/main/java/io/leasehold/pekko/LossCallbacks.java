package io.leasehold.pekko;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.Subscription;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.coordination.lease.LeaseException;
import org.apache.pekko.event.LoggingAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Whom Pekko wants to have told of the loss of which hold: a callback belongs to the hold of its
 * acquire, while a handler of {@link Lease#onLost} stays for all. Safe for many threads; callbacks
 * run outside the lock.
 */
final class LossCallbacks {

  private final Lease lease;
  private final LoggingAdapter log;
  private final Object lock = new Object();

  /** By the fencing token of the hold; an entry goes with the loss or the release. */
  @GuardedBy("lock")
  private final Map<Long, Callback> callbacks = new HashMap<>();

  @GuardedBy("lock")
  private @Nullable Subscription subscription;

  LossCallbacks(Lease lease, LoggingAdapter log) {
    this.lease = lease;
    this.log = log;
  }

  /** Hears of losses from now on: to be called before the acquire whose hold may be lost. */
  void open() {
    synchronized (lock) {
      if (subscription == null) {
        subscription = lease.onLost(this::lost);
      }
    }
  }

  /**
   * Has a callback told, once, of the loss of the hold there is now. It takes the place of an
   * earlier one for the same hold.
   *
   * @param told done when the caller knows that it holds; the callback comes after it
   * @return whether there is a hold
   */
  boolean put(Consumer<Optional<Throwable>> callback, CompletionStage<?> told) {
    synchronized (lock) {
      // A hold that is alive here has not been lost yet, and its handler has to pass this lock.
      OptionalLong token = lease.fencingToken();
      if (token.isPresent()) {
        callbacks.put(token.getAsLong(), new Callback(callback, told));
      }
      return token.isPresent();
    }
  }

  /** The holds so far are given up, so nobody is to be told of their end. */
  void clear() {
    synchronized (lock) {
      callbacks.clear();
    }
  }

  /** Hears of nothing any more. */
  void close() {
    synchronized (lock) {
      callbacks.clear();
      if (subscription != null) {
        subscription.close();
        subscription = null;
      }
    }
  }

  private void lost(LeaseLost lost) {
    Callback callback;
    synchronized (lock) {
      callback = callbacks.remove(lost.fencingToken());
    }
    if (callback != null) {
      CompletionStage<Void> unusedAfterwards =
          callback.told().thenRun(() -> tell(callback.receiver(), lost));
    }
  }

  private void tell(Consumer<Optional<Throwable>> receiver, LeaseLost lost) {
    try {
      receiver.accept(
          Optional.of(
              new LeaseException(
                  "%s: lease '%s' of '%s', fencing token %d: %s"
                      .formatted(
                          lost.reason(),
                          lost.lease(),
                          lost.owner(),
                          lost.fencingToken(),
                          lost.message()))));
    } catch (RuntimeException thrown) {
      log.error(thrown, "The callback for the loss of lease [{}] has failed", lost.lease());
    }
  }

  private record Callback(Consumer<Optional<Throwable>> receiver, CompletionStage<?> told) {}
}
