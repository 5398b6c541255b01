package io.leasehold.harness.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.up.ClusterView.Happening;
import io.leasehold.harness.wire.EventView;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HistoryTest {

  private final History history = new History(() -> 7);

  @Test
  void whatAllNodesTellIsThereOnce() {
    assertThat(history.heard("n1", event("granted", 1))).isTrue();
    assertThat(history.heard("n2", event("granted", 1))).isFalse();
    assertThat(history.heard("n2", event("released", 1))).isTrue();
    assertThat(history.heard("n1", event("granted", 2))).isTrue();

    assertThat(history.after(0))
        .extracting(Happening::kind)
        .containsExactly("granted", "released", "granted");
    assertThat(history.changes()).isEqualTo(3);
    assertThat(history.after(2))
        .containsExactly(new Happening(3, 7, "granted", "\"printer\" granted to a on n1, token 2"));
  }

  @Test
  void statesAtTheBeginningOfAStreamAreNoNews() {
    assertThat(history.heard("n1", event("current", 1))).isFalse();
    assertThat(history.heard("n1", event("free", null))).isFalse();
    assertThat(history.after(0)).isEmpty();
  }

  @Test
  void leaderIsToldOnceForEachTerm() {
    assertThat(history.heard("n1", EventView.leader("n1", 1))).isTrue();
    assertThat(history.heard("n2", EventView.leader("n1", 1))).isFalse();
    assertThat(history.heard("n2", EventView.leader(null, 1))).isTrue();
    assertThat(history.heard("n2", EventView.leader("n1", 2))).isTrue();

    assertThat(history.after(0))
        .extracting(Happening::text)
        .containsExactly("n1 leads, term 1", "n2 knows of no leader", "n1 leads, term 2");
    assertThat(history.changes()).isZero();
  }

  @Test
  void onlyTheLastAreKept() {
    for (long token = 1; token <= History.KEPT_MAX + 5; token++) {
      history.heard("n1", event("granted", token));
    }

    assertThat(history.after(0))
        .hasSize(History.KEPT_MAX)
        .first()
        .extracting("number")
        .isEqualTo(6L);
  }

  private static EventView event(String kind, @Nullable Long token) {
    return new EventView(kind, "printer", "a", "n1", token, null, null, null, null, null);
  }

  private static EventView event(String kind, long token) {
    return event(kind, Long.valueOf(token));
  }
}
