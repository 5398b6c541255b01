package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeadTest {

  @ParameterizedTest(name = "others silent for {0} ms: majority for {1} ms")
  @CsvSource({
    "'', 0",
    "70, 70",
    "10 900, 10",
    "700 900, 700",
    "5 10 800 900, 10",
    "5 700 800 900, 700"
  })
  void theMajorityIsAsSilentAsItsMostSilentMember(String others, long expectedMillis) {
    Lead lead = new Lead(Duration.ofHours(1), silences(others));

    assertThat(lead.silenceOfMajority()).isEqualTo(Duration.ofMillis(expectedMillis));
  }

  @ParameterizedTest(name = "leading for {0} ms")
  @CsvSource({"999, ''", "1000, m1"})
  void aNewLeaderHasOnlyAskedSoFar(long leadsForMillis, String expected) {
    Lead lead = new Lead(Duration.ofMillis(leadsForMillis), silences("10 5000"));

    assertThat(String.join(" ", lead.silentFor(Duration.ofSeconds(1)))).isEqualTo(expected);
  }

  private static Map<String, Duration> silences(String millis) {
    String[] all = millis.isEmpty() ? new String[0] : millis.split(" ");
    Map<String, Duration> silences = new HashMap<>();
    IntStream.range(0, all.length)
        .forEach(i -> silences.put("m" + i, Duration.ofMillis(Long.parseLong(all[i]))));
    return silences;
  }
}
