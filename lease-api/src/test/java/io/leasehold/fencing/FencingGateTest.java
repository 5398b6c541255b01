package io.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is peculiar to the gate in memory. */
final class FencingGateTest {

  private final FencingGate gate = new FencingGate();

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void acceptedTokensNeverFallHoweverManyThreadsCome(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AtomicLong granted = new AtomicLong();
    List<Long> accepted = new CopyOnWriteArrayList<>();
    List<CompletableFuture<Void>> holders = new ArrayList<>();
    for (int holder = 0; holder < 4; holder++) {
      SplittableRandom own = random.split();
      holders.add(
          CompletableFuture.runAsync(
              () -> {
                long token = granted.incrementAndGet();
                for (int i = 0; i < 500; i++) {
                  token = own.nextInt(10) == 0 ? granted.incrementAndGet() : token;
                  try {
                    long its = token;
                    gate.admit(its, () -> accepted.add(its));
                  } catch (StaleTokenException stale) {
                    assertThat(stale.refused()).isLessThan(stale.seen());
                  }
                }
              }));
    }

    holders.forEach(holder -> holder.orTimeout(10, TimeUnit.SECONDS).join());

    assertThat(accepted).as("seed %d", seed).isNotEmpty().isSorted();
  }

  @Test
  void newerWriteWaitsForTheEndOfAnOlderOne() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    List<String> written = new CopyOnWriteArrayList<>();
    Thread older =
        new Thread(
            () ->
                gate.admit(
                    1,
                    () -> {
                      begun.countDown();
                      awaitLatch(mayEnd);
                      written.add("older");
                    }));
    Thread newer = new Thread(() -> gate.admit(2, () -> written.add("newer")));

    older.start();
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    newer.start();
    await("it waits at the gate").until(() -> newer.getState() != Thread.State.RUNNABLE);
    mayEnd.countDown();
    newer.join(10_000);

    assertThat(written).containsExactly("older", "newer");
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Test
  void writeThatThrowsLeavesItsToken() {
    assertThatThrownBy(
            () ->
                gate.admit(
                    2,
                    () -> {
                      throw new IllegalStateException("half done");
                    }))
        .isInstanceOf(IllegalStateException.class);

    assertThatThrownBy(() -> gate.admit(1, () -> {})).isInstanceOf(StaleTokenException.class);
    gate.admit(2, () -> {});
  }

  @Test
  void beginsWithWhatWasSeenBefore() {
    FencingGate restarted = new FencingGate(7);

    assertThatThrownBy(() -> restarted.admit(6, () -> {})).isInstanceOf(StaleTokenException.class);
    restarted.admit(7, () -> {});
  }

  @Test
  void tokenOfNobodyIsNone() {
    assertThatThrownBy(() -> gate.admit(0, () -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("token");
  }
}
