package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.ratis.Lead.Follower;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeadTest {

  private static final Duration HOUR = Duration.ofHours(1);

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
    Lead lead = new Lead(HOUR, silentFor(others));

    assertThat(lead.silenceOfMajority()).isEqualTo(Duration.ofMillis(expectedMillis));
  }

  @ParameterizedTest(name = "leading for {0} ms")
  @CsvSource({"999, ''", "1000, m1"})
  void aNewLeaderHasOnlyAskedSoFar(long leadsForMillis, String expected) {
    Lead lead = new Lead(Duration.ofMillis(leadsForMillis), silentFor("10 5000"));

    assertThat(String.join(" ", lead.silentFor(Duration.ofSeconds(1)))).isEqualTo(expected);
  }

  private static List<Follower> silentFor(String millis) {
    String[] all = millis.isEmpty() ? new String[0] : millis.split(" ");
    return IntStream.range(0, all.length)
        .mapToObj(i -> follower("m" + i, Long.parseLong(all[i]), 0))
        .toList();
  }

  private static Follower follower(String id, long silentMillis, long matchIndex) {
    return new Follower(id, true, Duration.ofMillis(silentMillis), matchIndex);
  }

  @Test
  void heirIsTheMemberWithTheMostOfTheLogAmongThoseThatAnswer() {
    Lead lead =
        new Lead(
            HOUR,
            List.of(
                follower("behind", 10, 41),
                follower("silent", 301, 43),
                follower("near", 300, 42)));

    assertThat(lead.heir(Duration.ofMillis(300))).hasValue("near");
  }

  @Test
  void whatAllHaveIsWhatThoseHaveThatAnswer() {
    Lead lead =
        new Lead(
            HOUR,
            List.of(
                follower("silent", 301, 12),
                follower("behind", 300, 41),
                follower("near", 10, 42)));

    assertThat(lead.sharedIndex(Duration.ofMillis(300))).isEqualTo(41);
    assertThat(lead.sharedIndex(Duration.ofMillis(1))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void thereIsNoHeirWhenNobodyAnswersOrHasAnythingOfTheLog() {
    Lead lead = new Lead(HOUR, List.of(follower("silent", 301, 43), follower("new", 10, -1)));

    assertThat(lead.heir(Duration.ofMillis(300))).isEmpty();
  }
}
