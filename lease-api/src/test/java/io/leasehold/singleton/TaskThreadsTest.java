package io.leasehold.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.memory.InMemoryLeases;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Singletons as they are used: blocking tasks, real threads, real time. */
final class TaskThreadsTest {

  private static final LeaseSettings SETTINGS =
      LeaseSettings.of("poller", "n1", Duration.ofSeconds(30));

  private final LeaseProvider leases = InMemoryLeases.create();
  private final List<String> log = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    leases.close();
  }

  private void blockUntilInterrupted(SingletonContext context) {
    log.add(
        "runs with " + (context.fencingToken() > 0) + " on " + Thread.currentThread().getName());
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException cancelled) {
      log.add("cancelled " + context.isCancelled());
    }
  }

  @Test
  void blockedTaskIsInterruptedByCloseWhichWaitsForIt() {
    Singleton singleton = Singleton.builder(leases, SETTINGS).start(this::blockUntilInterrupted);
    await().until(() -> log.size() == 1);

    singleton.close();
    singleton.close();

    assertThat(log).containsExactly("runs with true on singleton-poller", "cancelled true");
    assertThat(singleton.state()).isEqualTo(Singleton.State.CLOSED);
  }

  @Test
  void closingTheProviderWaitsForTheTask() {
    var unused = Singleton.builder(leases, SETTINGS).start(this::blockUntilInterrupted);
    await().until(() -> log.size() == 1);

    leases.close();

    assertThat(log).endsWith("cancelled true");
  }

  @Test
  void taskMayCloseItsOwnSingleton() {
    CompletableFuture<Singleton> self = new CompletableFuture<>();
    Singleton singleton =
        Singleton.builder(leases, SETTINGS)
            .start(
                context -> {
                  self.get().close();
                  log.add("closed from inside");
                });
    self.complete(singleton);

    await().until(() -> singleton.state() == Singleton.State.CLOSED);
    assertThat(log).containsExactly("closed from inside");
  }

  @Test
  void noThreadIsLeftOfATaskOrItsTimer() {
    Singleton singleton = Singleton.builder(leases, SETTINGS).start(this::blockUntilInterrupted);
    await().until(() -> log.size() == 1);

    singleton.close();

    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("singleton-")));
  }
}
