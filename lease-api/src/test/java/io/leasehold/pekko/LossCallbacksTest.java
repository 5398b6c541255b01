package io.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.event.NoLogging;
import org.junit.jupiter.api.Test;

/** Which callback is called when the news of a loss comes late. */
final class LossCallbacksTest {

  private static final CompletionStage<?> TOLD = CompletableFuture.completedStage(null);

  private final HeldLease lease = new HeldLease();
  private final LossCallbacks callbacks = new LossCallbacks(lease, NoLogging.getInstance());
  private final List<Throwable> first = new ArrayList<>();
  private final List<Throwable> second = new ArrayList<>();

  private static Consumer<Optional<Throwable>> into(List<Throwable> reasons) {
    return reason -> reasons.add(reason.orElseThrow());
  }

  @Test
  void callbackIsCalledOnceForTheLossOfItsHold() {
    callbacks.open();
    lease.token = OptionalLong.of(7);
    assertThat(callbacks.put(into(first), TOLD)).isTrue();

    lease.tellLossOf(6);
    assertThat(first).isEmpty();
    lease.tellLossOf(7);
    lease.tellLossOf(7);

    assertThat(first)
        .singleElement()
        .asString()
        .contains("EXPIRED: lease 'printer' of 'a', fencing token 7: it ran out");
  }

  @Test
  void callbackForNoHoldIsNotKept() {
    callbacks.open();

    assertThat(callbacks.put(into(first), TOLD)).isFalse();
    lease.tellLossOf(7);

    assertThat(first).isEmpty();
  }

  @Test
  void lateNewsOfAnEarlierHoldIsForItsOwnCallback() {
    callbacks.open();
    lease.token = OptionalLong.of(7);
    assertThat(callbacks.put(into(first), TOLD)).isTrue();
    lease.token = OptionalLong.of(8);
    assertThat(callbacks.put(into(second), TOLD)).isTrue();

    lease.tellLossOf(7);

    assertThat(first).hasSize(1);
    assertThat(second).isEmpty();
  }

  @Test
  void newsThatComesAfterTheReleaseIsForNobody() {
    callbacks.open();
    lease.token = OptionalLong.of(7);
    assertThat(callbacks.put(into(first), TOLD)).isTrue();

    callbacks.clear();
    lease.tellLossOf(7);

    assertThat(first).isEmpty();
  }

  @Test
  void callbackWaitsUntilItsCallerHasBeenTold() {
    callbacks.open();
    lease.token = OptionalLong.of(7);
    CompletableFuture<Void> told = new CompletableFuture<>();
    assertThat(callbacks.put(into(first), told)).isTrue();

    lease.tellLossOf(7);
    assertThat(first).isEmpty();
    told.complete(null);

    assertThat(first).hasSize(1);
  }

  @Test
  void oneHandlerIsRegisteredFromTheFirstUseToTheLast() {
    callbacks.open();
    callbacks.open();
    assertThat(lease.handlers).hasSize(1);

    callbacks.close();
    callbacks.close();

    assertThat(lease.handlers).isEmpty();
  }

  /** A lease that is held as the test says; nobody acquires it. */
  private static final class HeldLease implements Lease {

    private final List<Consumer<LeaseLost>> handlers = new ArrayList<>();
    private OptionalLong token = OptionalLong.empty();

    void tellLossOf(long lost) {
      LeaseLost news = new LeaseLost("printer", "a", lost, LeaseLost.Reason.EXPIRED, "it ran out");
      handlers.forEach(handler -> handler.accept(news));
    }

    @Override
    public OptionalLong fencingToken() {
      return token;
    }

    @Override
    public Subscription onLost(Consumer<LeaseLost> handler) {
      handlers.add(handler);
      return () -> handlers.remove(handler);
    }

    @Override
    public LeaseSettings settings() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Boolean> acquire() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Boolean> acquire(Duration maxWait) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> release() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean checkAlive() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Duration remaining() {
      throw new UnsupportedOperationException();
    }
  }
}
