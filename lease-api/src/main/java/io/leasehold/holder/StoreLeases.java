package io.leasehold.holder;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.concurrent.BeforeClose;
import io.leasehold.time.ExecutorTimer;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Leases in a store that answers later. It has no inspector and no reclaim, and its waiters are not
 * served in any order. Safe for many threads.
 */
public final class StoreLeases implements LeaseProvider {

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

  private final Node node;
  private final Duration closeLimit;
  private final Runnable closeThreads;
  private final BeforeClose beforeClose = new BeforeClose();

  /**
   * @param closeLimit how long to wait in the end for what is given back
   * @param closeThreads is run in the end
   */
  StoreLeases(
      ClaimStore store,
      Ticker ticker,
      Timer timer,
      Callbacks callbacks,
      Duration closeLimit,
      Runnable closeThreads) {
    this.node = new Node(store, ticker, timer, callbacks);
    this.closeLimit = closeLimit;
    this.closeThreads = closeThreads;
  }

  /**
   * Returns a provider in real time. Its two kinds of daemon threads, {@code lease-timer} and
   * {@code lease-callbacks}, end with it.
   *
   * @param closed is run when the provider is closed
   */
  public static StoreLeases inRealTime(ClaimStore store, Runnable closed) {
    ExecutorTimer timer = new ExecutorTimer("lease-timer");
    CallbackThreads threads = new CallbackThreads();
    return new StoreLeases(
        store,
        System::nanoTime,
        timer,
        new Callbacks(threads),
        CLOSE_LIMIT,
        () -> {
          timer.close();
          threads.close();
          closed.run();
        });
  }

  /**
   * As the interface says; also, settings that ask for reclaim are refused.
   *
   * @throws InvalidLeaseArgumentException when the settings ask for reclaim
   */
  @Override
  public Lease lease(LeaseSettings settings) {
    if (settings == null) {
      throw new InvalidLeaseArgumentException("settings", "must not be null");
    }
    if (settings.reclaim()) {
      throw new InvalidLeaseArgumentException(
          "reclaim", "must be false: this store does not know which process is the newer one");
    }
    beforeClose.allow(settings.ttl());
    return node.call(() -> newHandle(settings));
  }

  private Lease newHandle(LeaseSettings settings) {
    return node.holds()
        .newHandle(
            settings, node.refusal(), () -> new Hold(node, settings.name(), settings.owner()));
  }

  /**
   * There is none.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public LeaseInspector inspector() {
    throw new UnsupportedOperationException("these leases cannot be looked into");
  }

  @Override
  public Subscription beforeClose(Supplier<? extends CompletionStage<?>> stop) {
    return beforeClose.add(stop);
  }

  @Override
  public void close() {
    beforeClose.run();
    await(node.call(node::close));
    node.run(node::abandon);
    closeThreads.run();
  }

  private void await(CompletableFuture<Void> everythingGivenBack) {
    long endNanos = System.nanoTime() + closeLimit.toNanos();
    boolean interrupted = false;
    while (true) {
      try {
        Void unusedNothing =
            everythingGivenBack.get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException early) {
        interrupted = true;
      } catch (TimeoutException | ExecutionException over) {
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
