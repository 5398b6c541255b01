package io.leasehold.holder;

import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.time.Timer;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * A process on a {@link FakeStore}, and the faults it suffers. What cannot pass now is kept in
 * order, as a connection that stands still does. Safe for many threads.
 */
final class FakeNode implements ClaimStore {

  private final String name;
  private final FakeStore store;
  private final VirtualTime time;
  private final StoreLeases leases;
  private final Queue<Runnable> unsent = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> unheard = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> postponed = new ConcurrentLinkedQueue<>();
  private volatile boolean silent;
  private volatile boolean deaf;
  private volatile boolean paused;
  private volatile boolean ended;

  FakeNode(String name, FakeStore store, VirtualTime time) {
    this.name = name;
    this.store = store;
    this.time = time;
    this.leases =
        new StoreLeases(
            this,
            time,
            this::schedule,
            new Callbacks(this::whenNotPaused),
            Duration.ZERO,
            () -> ended = true);
  }

  StoreLeases leases() {
    return leases;
  }

  boolean hasEnded() {
    return ended;
  }

  // --- Faults ---------------------------------------------------------------------------------

  void disconnect() {
    silent = true;
    deaf = true;
  }

  void deafen() {
    deaf = true;
  }

  void reconnect() {
    silent = false;
    deaf = false;
    catchUp();
  }

  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    drain(postponed);
    catchUp();
  }

  void crash() {
    silent = true;
    deaf = true;
    paused = true;
    ended = true;
  }

  private void catchUp() {
    if (!silent) {
      drain(unsent);
    }
    if (!deaf && !paused) {
      drain(unheard);
    }
  }

  private static void drain(Queue<Runnable> tasks) {
    for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
      next.run();
    }
  }

  private Timer.Cancellable schedule(Duration delay, Runnable task) {
    return time.schedule(delay, () -> whenNotPaused(task));
  }

  private void whenNotPaused(Runnable task) {
    if (paused) {
      postponed.add(task);
    } else {
      task.run();
    }
  }

  private <R> CompletionStage<R> request(Supplier<R> onServer) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    Runnable request =
        () -> {
          R result = onServer.get();
          hear(() -> answer.complete(result));
        };
    if (silent) {
      unsent.add(request);
    } else {
      request.run();
    }
    return answer;
  }

  private void hear(Runnable news) {
    if (deaf || paused) {
      unheard.add(news);
    } else {
      news.run();
    }
  }

  // --- The store as this node sees it ---------------------------------------------------------

  @Override
  public Claim claim(LeaseSettings settings) {
    return new FakeClaim(settings);
  }

  @Override
  public Subscription watch(String lease, Runnable freed) {
    Runnable hint = () -> hear(freed);
    CompletionStage<Boolean> unusedAnswer =
        request(
            () -> {
              store.watch(lease, hint);
              return true;
            });
    return () -> {
      CompletionStage<Boolean> unusedEnd =
          request(
              () -> {
                store.unwatch(lease, hint);
                return true;
              });
    };
  }

  private final class FakeClaim implements Claim {

    private final LeaseSettings settings;

    FakeClaim(LeaseSettings settings) {
      this.settings = settings;
    }

    @Override
    public CompletionStage<OptionalLong> ask() {
      return request(
          () -> store.claim(settings.name(), this, settings.owner(), name, settings.ttl()));
    }

    @Override
    public CompletionStage<Optional<LeaseLost.Reason>> renew() {
      return request(() -> store.renew(settings.name(), this, settings.ttl()));
    }

    @Override
    public CompletionStage<Void> giveBack() {
      return request(
              () -> {
                store.giveBack(settings.name(), this);
                return true;
              })
          .thenAccept(done -> {});
    }
  }
}
