package io.leasehold.harness.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.check.Calm.Disturbance;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The clock that stands still while something is wrong. */
class CalmTest {

  private final Calm calm =
      new Calm(
          List.of(new Disturbance(400, 500), new Disturbance(100, 150), new Disturbance(140, 200)),
          10);

  @Test
  void addsTheTimeOfDisturbancesAndOfSettling() {
    assertThat(calm.after(0, 100)).isEqualTo(100);
    assertThat(calm.after(0, 101)).isEqualTo(211);
    assertThat(calm.after(120, 5)).isEqualTo(215);
    assertThat(calm.after(0, 291)).isEqualTo(511);
    assertThat(calm.after(600, 5)).isEqualTo(605);
    assertThat(calm.after(Call.NEVER, 5)).isEqualTo(Call.NEVER);
  }

  @Test
  void knowsWhetherAnythingDisturbed() {
    assertThat(calm.between(0, 99)).isTrue();
    assertThat(calm.between(0, 100)).isFalse();
    assertThat(calm.between(205, 300)).isFalse();
    assertThat(calm.between(211, 399)).isTrue();
    assertThat(calm.between(511, 900)).isTrue();
  }

  @Test
  void neverEndsInADisturbanceThatDoesNot() {
    assertThat(new Calm(List.of(new Disturbance(100, Call.NEVER)), 10).after(0, 101))
        .isEqualTo(Call.NEVER);
  }
}
