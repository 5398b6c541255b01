package io.leasehold;

import io.leasehold.time.DurationText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The limits of every backend. They are checked where a user's value comes in, and again where a
 * replicated command is applied: no peer is trusted.
 */
public final class LeaseLimits {

  /** Most bytes of UTF-8 in a lease's name. */
  public static final int NAME_BYTES_MAX = 512;

  /** Most bytes of UTF-8 in an owner. */
  public static final int OWNER_BYTES_MAX = 256;

  /** Shortest time to live. */
  public static final Duration TTL_MIN = Duration.ofMillis(100);

  /** Longest time to live. */
  public static final Duration TTL_MAX = Duration.ofHours(24);

  /** Shortest interval of renewals that can be asked for. */
  public static final Duration RENEWAL_INTERVAL_MIN = Duration.ofMillis(10);

  /** Longest pause between two attempts to acquire. */
  public static final Duration ACQUIRE_RETRY_DELAY_MAX = Duration.ofHours(24);

  /** Most characters in the reason of a revocation. */
  public static final int REASON_CHARS_MAX = 1_000;

  private LeaseLimits() {}

  /** Says what is wrong with a lease's name; empty when it is fine. */
  public static Optional<String> faultInName(@Nullable String name) {
    return faultInText(name, NAME_BYTES_MAX);
  }

  /** Says what is wrong with an owner; empty when it is fine. */
  public static Optional<String> faultInOwner(@Nullable String owner) {
    return faultInText(owner, OWNER_BYTES_MAX);
  }

  /** Says what is wrong with a time to live; empty when it is fine. */
  public static Optional<String> faultInTtl(@Nullable Duration ttl) {
    if (ttl == null) {
      return Optional.of("must not be null");
    }
    if (ttl.compareTo(TTL_MIN) < 0 || ttl.compareTo(TTL_MAX) > 0) {
      return Optional.of(
          "must be between %s and %s: %s"
              .formatted(DurationText.of(TTL_MIN), DurationText.of(TTL_MAX), DurationText.of(ttl)));
    }
    return Optional.empty();
  }

  /** Says what is wrong with how long a caller would wait at most; empty when it is fine. */
  public static Optional<String> faultInMaxWait(@Nullable Duration maxWait) {
    if (maxWait == null) {
      return Optional.of("must not be null");
    }
    return maxWait.isNegative()
        ? Optional.of("must not be negative: " + DurationText.of(maxWait))
        : Optional.empty();
  }

  /** Says what is wrong with the reason of a revocation; empty when it is fine. */
  public static Optional<String> faultInReason(@Nullable String reason) {
    if (reason == null) {
      return Optional.of("must not be null");
    }
    if (reason.length() > REASON_CHARS_MAX) {
      return Optional.of(
          "must have at most %,d characters: has %,d".formatted(REASON_CHARS_MAX, reason.length()));
    }
    return faultInCharacters(reason);
  }

  private static Optional<String> faultInText(@Nullable String text, int bytesMax) {
    if (text == null) {
      return Optional.of("must not be null");
    }
    if (text.isBlank()) {
      return Optional.of("must not be blank");
    }
    if (text.length() > bytesMax) {
      return Optional.of(tooLong(bytesMax, "at least " + text.length()));
    }
    Optional<String> fault = faultInCharacters(text);
    if (fault.isPresent()) {
      return fault;
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    return bytes > bytesMax
        ? Optional.of(tooLong(bytesMax, String.valueOf(bytes)))
        : Optional.empty();
  }

  private static Optional<String> faultInCharacters(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        return Optional.of(
            "must not contain control characters: \\u%04x at %d".formatted((int) c, i));
      }
      if (isUnpairedSurrogate(text, i)) {
        return Optional.of("must be well-formed Unicode: unpaired surrogate at " + i);
      }
    }
    return Optional.empty();
  }

  private static boolean isUnpairedSurrogate(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }

  private static String tooLong(int bytesMax, String bytes) {
    return "must have at most " + bytesMax + " bytes of UTF-8: has " + bytes + " bytes";
  }
}
