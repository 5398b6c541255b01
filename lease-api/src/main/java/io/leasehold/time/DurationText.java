package io.leasehold.time;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations as sentences for people have them: {@code 250 ms}, {@code 5 s}, {@code 24 h}. */
public final class DurationText {

  private DurationText() {}

  /** Writes a duration exactly, in the largest unit that it is a whole number of. */
  public static String of(Duration duration) {
    long seconds = duration.toSeconds();
    int nanos = duration.toNanosPart();
    if (nanos != 0 || seconds == 0) {
      BigDecimal millis = BigDecimal.valueOf(seconds).movePointRight(3);
      return millis.add(BigDecimal.valueOf(nanos, 6)).stripTrailingZeros().toPlainString() + " ms";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + " h";
    }
    return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }
}
