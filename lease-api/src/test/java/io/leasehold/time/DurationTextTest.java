package io.leasehold.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DurationTextTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 ms",
    "PT0.25S, 250 ms",
    "PT1.5S, 1500 ms",
    "PT5S, 5 s",
    "PT90S, 90 s",
    "PT10M, 10 min",
    "PT24H, 24 h",
    "PT-0.25S, -250 ms",
    "PT0.0000015S, 0.0015 ms",
    "PT2562047788015215H30M7S, 9223372036854775807 s"
  })
  void isExactAndInTheLargestUnit(Duration duration, String text) {
    assertThat(DurationText.of(duration)).isEqualTo(text);
  }
}
