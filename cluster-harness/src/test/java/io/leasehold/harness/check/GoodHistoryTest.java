package io.leasehold.harness.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that keeps every promise is not accused of anything, and gives every rule work. */
class GoodHistoryTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void isNotAccused(long seed) {
    Judgement judgement =
        HistoryChecker.check(SimulatedRun.header(seed), SimulatedRun.events(seed, 60, 3));

    StringWriter text = new StringWriter();
    judgement.print(new PrintWriter(text));
    assertThat(judgement.verdict().violations()).as("%s", text).isEmpty();
  }
}
