package io.leasehold.harness.client;

import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The data lines out of a stream of server-sent events, one at a time. */
final class EventLines implements Flow.Subscriber<String> {

  private static final String DATA = "data: ";

  private final Consumer<String> reader;
  private final Consumer<RuntimeException> onReaderFailed;
  private volatile Flow.@Nullable Subscription lines;
  private volatile boolean isCancelled;

  /**
   * @param onReaderFailed is told when the reader throws; it gets no more lines then
   */
  EventLines(Consumer<String> reader, Consumer<RuntimeException> onReaderFailed) {
    this.reader = reader;
    this.onReaderFailed = onReaderFailed;
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
      try {
        reader.accept(line.substring(DATA.length()));
      } catch (RuntimeException e) {
        cancel();
        onReaderFailed.accept(e);
        return;
      }
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
