package io.leasehold.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationNotationTest {

  @ParameterizedTest
  @CsvSource({
    "0s, 0",
    "250ms, 250",
    "3s, 3000",
    "1m, 60000",
    "24h, 86400000",
    "8784h, 31622400000"
  })
  void isRead(String text, long millis) {
    assertThat(DurationNotation.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "3",
        "s",
        "-3s",
        "+3s",
        "3 s",
        "3S",
        "3sec",
        "1.5s",
        "PT3S",
        "1m30s",
        "٣s",
        "8785h",
        "999999999999h",
        "9999999999999ms",
        "99999999999999999999s",
        "3s\n"
      })
  void isRefusedInOneLine(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationNotation.parse(text))
        .withMessageNotContaining("\n")
        .withMessageStartingWith("must be");
  }

  @ParameterizedTest
  @CsvSource({"0, 0ms", "250, 250ms", "1500, 1500ms", "3000, 3s", "60000, 1m", "7200000, 2h"})
  void isWrittenAsItIsRead(long millis, String text) {
    assertThat(DurationNotation.of(Duration.ofMillis(millis))).isEqualTo(text);
    assertThat(DurationNotation.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }
}
