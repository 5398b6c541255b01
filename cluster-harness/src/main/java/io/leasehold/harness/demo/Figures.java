package io.leasehold.harness.demo;

import java.time.Duration;
import java.util.Locale;

/** Times as the narration writes them. */
final class Figures {

  private Figures() {}

  /** {@code 12 ms} or {@code 3.04 s}. */
  static String of(Duration duration) {
    long millis = duration.toMillis();
    return millis < 1000 ? millis + " ms" : String.format(Locale.ROOT, "%.2f s", millis / 1000.0);
  }
}
