package io.leasehold.harness.chaos.workload;

import java.time.Duration;
import java.util.Random;

/**
 * What the clients choose, from a seed. Confined to the workload's thread.
 *
 * <p>Most holds are short, so that there is much to judge; one in ten lasts for several times to
 * live, so that faults meet a holder that relies on its renewals.
 */
final class Mix {

  private final Random random;

  Mix(long seed) {
    this.random = new Random(seed);
  }

  /** How long to stay in the queue: two of five acquires wait. */
  Duration wait(Duration ttl) {
    return random.nextInt(5) < 2
        ? Duration.ofMillis(50 + random.nextInt((int) ttl.toMillis()))
        : Duration.ZERO;
  }

  Duration hold(Duration ttl) {
    int kind = random.nextInt(20);
    if (kind < 14) {
      return Duration.ofMillis(random.nextInt(15));
    }
    return kind < 18
        ? Duration.ofMillis(30 + random.nextInt(400))
        : ttl.plusMillis(random.nextInt((int) ttl.toMillis() * 2));
  }

  Duration think() {
    return random.nextInt(8) == 0
        ? Duration.ofMillis(100 + random.nextInt(300))
        : Duration.ofMillis(1 + random.nextInt(25));
  }

  /** After a loss the holder comes back at once, or nearly. */
  Duration thinkAfterLoss() {
    return Duration.ofMillis(random.nextInt(20));
  }

  boolean confirms() {
    return random.nextInt(12) == 0;
  }

  boolean writes() {
    return random.nextInt(4) == 0;
  }

  Duration untilRevocation() {
    return Duration.ofMillis(1_000 + random.nextInt(4_000));
  }

  int oneOf(int count) {
    return random.nextInt(count);
  }
}
