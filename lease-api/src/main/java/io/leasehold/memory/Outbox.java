package io.leasehold.memory;

import io.leasehold.time.Timer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a node could not hand to the store yet, in order. Confined to the shared store's lock.
 *
 * <p>A node that is cut off keeps sending the same requests until they are answered; here they are
 * kept until it is reachable again, with the moment of their first sending.
 */
final class Outbox {

  private final Deque<Request<?>> requests = new ArrayDeque<>();

  void add(Request<?> request) {
    requests.add(request);
  }

  void remove(Request<?> request) {
    requests.remove(request);
    request.stopLimit();
  }

  @Nullable Request<?> next() {
    return requests.poll();
  }

  /** Forgets all requests and returns them. */
  List<Request<?>> drain() {
    List<Request<?>> all = List.copyOf(requests);
    requests.clear();
    all.forEach(Request::stopLimit);
    return all;
  }

  /**
   * One request.
   *
   * @param <R> what it is answered with
   */
  static final class Request<R> {

    private final long sentNanos;
    private final Supplier<R> ask;
    private final Consumer<R> answered;
    private final Runnable unanswered;
    private Timer.@Nullable Cancellable limit;

    /**
     * @param sentNanos when it was handed over first
     * @param ask what it does to the store
     * @param answered hears the answer
     * @param unanswered is run when it is given up
     */
    Request(long sentNanos, Supplier<R> ask, Consumer<R> answered, Runnable unanswered) {
      this.sentNanos = sentNanos;
      this.ask = ask;
      this.answered = answered;
      this.unanswered = unanswered;
    }

    long sentNanos() {
      return sentNanos;
    }

    void limitedBy(Timer.Cancellable itsLimit) {
      limit = itsLimit;
    }

    void stopLimit() {
      if (limit != null) {
        limit.cancel();
        limit = null;
      }
    }

    /** Does it, and returns what is to be done with the answer. */
    Runnable perform() {
      stopLimit();
      R answer = ask.get();
      return () -> answered.accept(answer);
    }

    void giveUp() {
      unanswered.run();
    }
  }
}
