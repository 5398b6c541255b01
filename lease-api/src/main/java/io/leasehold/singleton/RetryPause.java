package io.leasehold.singleton;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before the next try: up to a fifth longer or shorter than the interval. */
final class RetryPause {

  private static final double SPREAD = 0.2;

  private final Duration interval;
  private final RandomGenerator random;

  RetryPause(Duration interval, RandomGenerator random) {
    this.interval = interval;
    this.random = random;
  }

  Duration next() {
    double factor = 1 - SPREAD + 2 * SPREAD * random.nextDouble();
    return Duration.ofNanos((long) (interval.toNanos() * factor));
  }
}
