package io.leasehold.harness;

import io.leasehold.text.Quoted;
import java.math.BigInteger;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them here: {@code 250ms}, {@code 3s}, {@code 1m}, {@code 2h}. */
public final class DurationNotation {

  /** The longest duration that is understood: a year has no use here, and nothing overflows. */
  public static final Duration MAX = Duration.ofDays(366);

  private static final Pattern FORM = Pattern.compile("([0-9]+)(ms|s|m|h)");

  private DurationNotation() {}

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException with a message that completes the sentence "the ttl …"
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "must be written like 250ms, 3s or 1m: " + Quoted.text(text));
    }
    BigInteger millis =
        new BigInteger(matcher.group(1))
            .multiply(
                switch (matcher.group(2)) {
                  case "ms" -> BigInteger.ONE;
                  case "s" -> BigInteger.valueOf(1_000);
                  case "m" -> BigInteger.valueOf(60_000);
                  default -> BigInteger.valueOf(3_600_000);
                });
    if (millis.compareTo(BigInteger.valueOf(MAX.toMillis())) > 0) {
      throw new IllegalArgumentException("must be at most 366 days: " + Quoted.text(text));
    }
    return Duration.ofMillis(millis.longValueExact());
  }

  /** Writes a duration in the largest unit that says it exactly, to the millisecond. */
  public static String of(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0 || millis % 1000 != 0) {
      return millis + "ms";
    }
    if (millis % 3_600_000 == 0) {
      return millis / 3_600_000 + "h";
    }
    return millis % 60_000 == 0 ? millis / 60_000 + "m" : millis / 1000 + "s";
  }
}
