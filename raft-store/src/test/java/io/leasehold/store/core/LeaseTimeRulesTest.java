package io.leasehold.store.core;

import static io.leasehold.store.core.Cast.A;
import static io.leasehold.store.core.Cast.B;
import static io.leasehold.store.core.Cast.acquire;
import static io.leasehold.store.core.Cast.holder;
import static io.leasehold.store.core.Cast.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Lease time is the greatest valid stamp so far (CORRECTNESS.md, P2 and P3). */
final class LeaseTimeRulesTest {

  private static final long TERM = 7;

  static Stream<Arguments> stamps() {
    return Stream.of(
        argumentSet("it moves on with a stamp", 2_000, TERM, 2_000),
        argumentSet("it stands still with the same stamp", 1_000, TERM, 1_000),
        argumentSet("it does not fall with an earlier stamp", 999, TERM, 1_000),
        argumentSet("a stamp of an earlier term is void", 2_000, TERM - 1, 1_000),
        argumentSet("a stamp of a later term is void", 2_000, TERM + 1, 1_000));
  }

  @ParameterizedTest
  @MethodSource("stamps")
  void leaseTime(long stampMillis, long stampTerm, long expectedMillis) {
    Story story = new Story().at(1_000).opened(A);

    story.apply(Batch.of(A, 2, List.of()), new Entry(2, TERM, millis(stampMillis), stampTerm, 0));

    assertThat(story.table().state().leaseTimeNanos()).isEqualTo(millis(expectedMillis));
    assertThat(story.table().session(A).orElseThrow().renewedNanos())
        .isEqualTo(millis(expectedMillis));
  }

  static Stream<Arguments> takeovers() {
    Reply.HeldByOther held = new Reply.HeldByOther(holder(A, "a"), 1);
    return Stream.of(
        argumentSet("a valid stamp lets a lease run out", TERM, new Reply.Granted(2)),
        argumentSet("a void one does not", TERM - 1, held));
  }

  @ParameterizedTest
  @MethodSource("takeovers")
  void takingOver(long stampTerm, Reply reply) {
    Story story = new Story().opened(A, B).with(A, acquire("a", 1));

    Outcome outcome =
        story.apply(
            Batch.of(B, 3, List.of(acquire("b", 1))),
            new Entry(4, TERM, millis(10_000), stampTerm, 0));

    assertThat(outcome.reply().replies()).containsExactly(reply);
  }
}
