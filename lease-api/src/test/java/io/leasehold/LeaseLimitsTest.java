package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class LeaseLimitsTest {

  static Stream<Arguments> goodNames() {
    return Stream.of(
        argumentSet("one character", "p"),
        argumentSet("blanks inside and around", " print er "),
        argumentSet("punctuation", "a/b:c?d=e&f%20'\"\\;--"),
        argumentSet("512 bytes of one each", "n".repeat(512)),
        argumentSet("512 bytes of two each", "é".repeat(256)),
        argumentSet("511 bytes of three each and one", "€".repeat(170) + "n"),
        argumentSet("512 bytes of four each", "😀".repeat(128)),
        argumentSet("accents apart", "cafe\u0301"),
        argumentSet("no-break space beside a letter", "a\u00a0"),
        argumentSet("the highest code point", new String(Character.toChars(0x10ffff))));
  }

  @ParameterizedTest
  @MethodSource("goodNames")
  void nothingIsWrongWith(String name) {
    assertThat(LeaseLimits.faultInName(name)).isEmpty();
  }

  static Stream<Arguments> badNames() {
    return Stream.of(
        argumentSet("null", null, "must not be null"),
        argumentSet("empty", "", "must not be blank"),
        argumentSet("blanks", " \u2003 ", "must not be blank"),
        argumentSet(
            "513 bytes", "n".repeat(513), "at most 512 bytes of UTF-8: has at least 513 bytes"),
        argumentSet("514 bytes of two each", "é".repeat(257), "has 514 bytes"),
        argumentSet("513 bytes of three each", "€".repeat(171), "has 513 bytes"),
        argumentSet("516 bytes of four each", "😀".repeat(129), "has 516 bytes"),
        argumentSet("a million characters", "n".repeat(1_000_000), "has at least 1000000 bytes"),
        argumentSet("zero", "a\u0000", "control characters: \\u0000 at 1"),
        argumentSet("line end", "\nprinter", "control characters: \\u000a at 0"),
        argumentSet("escape", "a\u001b[2J", "control characters: \\u001b at 1"),
        argumentSet("delete", "a\u007f", "control characters: \\u007f at 1"),
        argumentSet("next line", "a\u0085", "control characters: \\u0085 at 1"),
        argumentSet("high surrogate at the end", "a\ud83d", "unpaired surrogate at 1"),
        argumentSet("high surrogate before a letter", "\ud83da", "unpaired surrogate at 0"),
        argumentSet("low surrogate at the start", "\ude00a", "unpaired surrogate at 0"),
        argumentSet("low surrogate after a letter", "a\ude00", "unpaired surrogate at 1"));
  }

  @ParameterizedTest
  @MethodSource("badNames")
  void saysWhatIsWrong(@Nullable String name, String fault) {
    assertThat(LeaseLimits.faultInName(name)).get().asString().contains(fault);
  }

  @Test
  void ownersAreHalfAsLong() {
    assertThat(LeaseLimits.faultInOwner("o".repeat(256))).isEmpty();
    assertThat(LeaseLimits.faultInOwner("o".repeat(257))).isPresent();
    assertThat(LeaseLimits.faultInOwner("é".repeat(128))).isEmpty();
    assertThat(LeaseLimits.faultInOwner("é".repeat(129))).isPresent();
  }

  @Test
  void ttlIsWithinItsLimits() {
    assertThat(LeaseLimits.faultInTtl(Duration.ofMillis(100).minusNanos(1))).isPresent();
    assertThat(LeaseLimits.faultInTtl(Duration.ofMillis(100))).isEmpty();
    assertThat(LeaseLimits.faultInTtl(Duration.ofHours(24))).isEmpty();
    assertThat(LeaseLimits.faultInTtl(Duration.ofHours(24).plusNanos(1))).isPresent();
    assertThat(LeaseLimits.faultInTtl(Duration.ofSeconds(Long.MAX_VALUE))).isPresent();
    assertThat(LeaseLimits.faultInTtl(Duration.ofSeconds(Long.MIN_VALUE))).isPresent();
    assertThat(LeaseLimits.faultInTtl(null)).contains("must not be null");
  }
}
