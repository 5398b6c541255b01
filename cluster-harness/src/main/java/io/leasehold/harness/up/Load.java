package io.leasehold.harness.up;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.AcquireAnswer;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A small load: on each node an owner that acquires one of two leases again and again, and releases
 * it. Confined to the loop.
 */
final class Load {

  private static final Duration TTL = Duration.ofSeconds(3);
  private static final Duration WAIT = Duration.ofSeconds(2);
  private static final Duration HELD = Duration.ofMillis(100);
  private static final Duration REST = Duration.ofMillis(50);
  private static final Duration REST_AFTER_FAILURE = Duration.ofMillis(500);

  private final Playground playground;
  private final Executor loop;
  private final Timer timer;
  private int round;
  private boolean isOn;

  Load(Playground playground, Executor loop, Timer timer) {
    this.playground = playground;
    this.loop = loop;
    this.timer = timer;
  }

  /** Begins. Idempotent. */
  void start() {
    if (isOn) {
      return;
    }
    isOn = true;
    round++;
    int number = 0;
    for (String id : playground.ids()) {
      cycle(id, "load-" + (number++ % 2 + 1), round);
    }
  }

  /** Begins nothing more. Idempotent. */
  void stop() {
    isOn = false;
  }

  private void cycle(String id, String lease, int begun) {
    if (!isOn || begun != round) {
      return;
    }
    if (playground.state(id) != Playground.Condition.RUNNING) {
      after(REST_AFTER_FAILURE, () -> cycle(id, lease, begun));
      return;
    }
    NodeClient client = playground.client(id);
    CompletableFuture<AcquireAnswer> answer = client.acquire(lease, "load", TTL, WAIT);
    var unused =
        answer.whenComplete(
            (got, failure) ->
                loop.execute(
                    () -> {
                      if (got != null && got.acquired()) {
                        after(HELD, () -> release(id, lease, begun));
                      } else {
                        after(REST_AFTER_FAILURE, () -> cycle(id, lease, begun));
                      }
                    }));
  }

  private void release(String id, String lease, int begun) {
    var unused =
        playground
            .client(id)
            .release(lease, "load")
            .whenComplete(
                (done, failure) -> loop.execute(() -> after(REST, () -> cycle(id, lease, begun))));
  }

  private void after(Duration delay, Runnable task) {
    var unused = timer.schedule(delay, task);
  }
}
