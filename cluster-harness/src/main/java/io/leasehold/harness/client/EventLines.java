package io.leasehold.harness.client;

import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The data lines out of a stream of server-sent events, one at a time. */
final class EventLines implements Flow.Subscriber<String> {

  private static final String DATA = "data: ";

  private final Consumer<String> reader;
  private volatile Flow.@Nullable Subscription lines;
  private volatile boolean isCancelled;

  EventLines(Consumer<String> reader) {
    this.reader = reader;
  }

  /** Reads no more. */
  void cancel() {
    isCancelled = true;
    Flow.Subscription subscription = lines;
    if (subscription != null) {
      subscription.cancel();
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    lines = subscription;
    if (isCancelled) {
      subscription.cancel();
    } else {
      subscription.request(1);
    }
  }

  @Override
  public void onNext(String line) {
    if (line.startsWith(DATA)) {
      reader.accept(line.substring(DATA.length()));
    }
    Flow.Subscription subscription = lines;
    if (subscription != null) {
      subscription.request(1);
    }
  }

  @Override
  public void onError(Throwable failure) {}

  @Override
  public void onComplete() {}
}
