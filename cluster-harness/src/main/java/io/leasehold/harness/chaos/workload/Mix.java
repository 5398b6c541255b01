package io.leasehold.harness.chaos.workload;

import java.time.Duration;
import java.util.Random;

/**
 * What the clients, and the singleton, choose, from a seed. Confined to one thread.
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

  /** One task in three is meant to go on for longer than its lease would without renewals. */
  Duration task(Duration ttl) {
    return random.nextInt(3) == 0
        ? ttl.plusMillis(random.nextInt((int) ttl.toMillis() * 2))
        : Duration.ofMillis(50 + random.nextInt(900));
  }

  Duration step() {
    return Duration.ofMillis(1 + random.nextInt(15));
  }

  boolean fails() {
    return random.nextInt(3) == 0;
  }

  /** Half of the tasks end at once when they are told to; the others use up to a third of a ttl. */
  Duration linger(Duration ttl) {
    return random.nextBoolean()
        ? Duration.ZERO
        : Duration.ofMillis(random.nextInt((int) ttl.toMillis() / 3));
  }

  Duration untilStepDown() {
    return Duration.ofMillis(2_000 + random.nextInt(6_000));
  }

  Duration cooldown() {
    return Duration.ofMillis(random.nextInt(1_500));
  }

  int oneOf(int count) {
    return random.nextInt(count);
  }
}
