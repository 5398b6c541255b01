package io.leasehold.store.core;

import static io.leasehold.store.core.Cast.A;
import static io.leasehold.store.core.Cast.B;
import static io.leasehold.store.core.Cast.C;
import static io.leasehold.store.core.Cast.PRINTER;
import static io.leasehold.store.core.Cast.TTL;
import static io.leasehold.store.core.Cast.acquire;
import static io.leasehold.store.core.Cast.claim;
import static io.leasehold.store.core.Cast.expire;
import static io.leasehold.store.core.Cast.expired;
import static io.leasehold.store.core.Cast.granted;
import static io.leasehold.store.core.Cast.millis;
import static io.leasehold.store.core.Cast.queue;
import static io.leasehold.store.core.Cast.release;
import static io.leasehold.store.core.Cast.revoke;
import static io.leasehold.store.core.Cast.skipped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ExpiryRulesTest {

  private static Story story() {
    return new Story().opened(A, B, C);
  }

  static Stream<Arguments> proposals() {
    return Stream.of(
        argumentSet(
            "a hold lasts until just before its expiry",
            story().with(A, acquire("a", 1)).at(9_999),
            expire(A, 1),
            List.of()),
        argumentSet(
            "a hold ends at its expiry",
            story().with(A, acquire("a", 1)).at(10_000),
            expire(A, 1),
            List.of(expired(A, "a", 1))),
        argumentSet(
            "a hold that was renewed before the proposal came lasts",
            story().with(A, acquire("a", 1)).at(10_000).with(A),
            expire(A, 1),
            List.of()),
        argumentSet(
            "a later hold of the same session is not meant",
            story().with(A, acquire("a", 1)).with(A, acquire("a", 2)).at(10_000),
            expire(A, 1),
            List.of()),
        argumentSet(
            "another's hold is not meant",
            story()
                .with(A, acquire("a", 1))
                .with(A, release(1))
                .with(B, acquire("b", 1))
                .at(10_000),
            expire(A, 1),
            List.of()),
        argumentSet(
            "a lease that is free is not meant",
            story().with(A, acquire("a", 1)).with(A, release(1)).at(10_000),
            expire(A, 1),
            List.of()),
        argumentSet(
            "an expiry hands over",
            story().with(A, acquire("a", 1)).at(1).with(B, queue("b", 1)).at(10_000),
            expire(A, 1),
            List.of(expired(A, "a", 1), granted(B, "b", 2, 1))),
        argumentSet(
            "an expiry skips the dead",
            story()
                .with(A, acquire("a", 1))
                .with(B, queue("b", 1))
                .at(1)
                .with(C, queue("c", 1))
                .at(10_000),
            expire(A, 1),
            List.of(expired(A, "a", 1), skipped(B, "b", 1), granted(C, "c", 2, 1))),
        argumentSet(
            "a place lasts until just before its ttl",
            story().with(A, acquire("a", 1)).with(B, queue("b", 1)).at(9_999).with(A),
            expire(B, 1),
            List.of()),
        argumentSet(
            "a place ends at its ttl",
            story().with(A, acquire("a", 1)).with(B, queue("b", 1)).at(10_000).with(A),
            expire(B, 1),
            List.of(skipped(B, "b", 1))),
        argumentSet(
            "another place of the session is not meant",
            story().with(A, acquire("a", 1)).with(B, queue("b", 2)).at(10_000).with(A),
            expire(B, 1),
            List.of()),
        argumentSet(
            "a revoked hold ends at its expiry, renewed or not",
            story().with(A, acquire("a", 1)).with(B, revoke(1)).at(9_000).with(A).at(10_000),
            expire(A, 1),
            List.of(expired(A, "a", 1))),
        argumentSet(
            "a revoked hold lasts until just before",
            story().with(A, acquire("a", 1)).with(B, revoke(1)).at(9_999),
            expire(A, 1),
            List.of()));
  }

  @ParameterizedTest
  @MethodSource("proposals")
  void aProposalIsDecidedAnew(Story story, Command command, List<Event> events) {
    Outcome outcome = story.storeDoes(command);

    assertThat(outcome.reply())
        .isEqualTo(
            new BatchReply(
                BatchReply.Status.APPLIED,
                story.table().appliedIndex(),
                List.of(),
                false,
                List.of(new Reply.Decided()),
                0));
    assertThat(outcome.events()).isEqualTo(events);
  }

  @Test
  void theWholeOutcomeOfAnExpiry() {
    Story story = new Story().opened(A).with(A, acquire("a", 1)).at(10_000);

    Outcome outcome = story.storeDoes(expire(A, 1));

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                new BatchReply(
                    BatchReply.Status.APPLIED,
                    3,
                    List.of(),
                    false,
                    List.of(new Reply.Decided()),
                    0),
                List.of(
                    new Change.PutState(new StoreState(millis(10_000), 1, 1, 1, 0)),
                    new Change.RemoveLease(PRINTER),
                    new Change.RemoveClaim(claim(A, 1)),
                    new Change.PutNews(A, List.of(expired(A, "a", 1))),
                    new Change.PutSession(
                        new Session(A, "node-a", Cast.SESSION_TTL, 1, 0, 2, 0, false))),
                List.of(expired(A, "a", 1))));
  }

  @Test
  void onlyTheStoreMayExpire() {
    Story story = story().with(A, acquire("a", 1)).at(90_000);

    Outcome outcome = story.does(B, expire(A, 1), new Command.ExpireSession(C));

    assertThat(outcome.reply().replies())
        .containsExactly(
            new Reply.Refused("only the store itself may expire"),
            new Reply.Refused("only the store itself may expire"));
    assertThat(outcome.events()).isEmpty();
  }

  @Test
  void theStoreMayOnlyExpire() {
    Outcome outcome = story().storeDoes(acquire("a", 1), new Command.CloseSession());

    assertThat(outcome.reply().replies())
        .containsExactly(
            new Reply.Refused("a batch without a session may only expire"),
            new Reply.Refused("a batch without a session may only expire"));
    assertThat(outcome.events()).isEmpty();
  }

  @Test
  void aBatchOfTheStoreOverTheLimitIsRefused() {
    Story story = new Story(new Limits(2, 10, 10, 10, 10)).opened(A).with(A, acquire("a", 1));

    Outcome outcome = story.at(10_000).apply(Batch.ofStore(Collections.nCopies(3, expire(A, 1))));

    assertThat(outcome.reply().status()).isEqualTo(BatchReply.Status.REFUSED);
    assertThat(outcome.events()).isEmpty();
  }

  static Stream<Arguments> due() {
    Story idle = new Story().opened(A);
    Story holding = new Story().opened(A, B).with(A, acquire("a", 1)).with(B, queue("b", 1));
    Story revoked = new Story().opened(A).with(A, acquire("a", 1)).with(A, revoke(1)).at(5_000);
    revoked.with(A);
    return Stream.of(
        argumentSet("nothing yet", holding, 9_999, List.of()),
        argumentSet("holds and places", holding, 10_000, List.of(expire(A, 1), expire(B, 1))),
        argumentSet(
            "not the session while it has claims",
            holding,
            30_000,
            List.of(expire(A, 1), expire(B, 1))),
        argumentSet("a session not yet", idle, 29_999, List.of()),
        argumentSet("an idle session", idle, 30_000, List.of(new Command.ExpireSession(A))),
        argumentSet("a revoked hold not yet", revoked, 9_999, List.of()),
        argumentSet("a revoked hold of a living session", revoked, 10_000, List.of(expire(A, 1))));
  }

  @ParameterizedTest
  @MethodSource("due")
  void theLeaderFindsWhatIsDue(Story story, long atMillis, List<Command> due) {
    assertThat(Expiry.due(story.table(), millis(atMillis), 100)).isEqualTo(due);
  }

  @Test
  void theLeaderProposesNoMoreThanItIsTold() {
    Story story = new Story().opened(A, B, C);
    story.with(A, acquire("a", 1), revoke(1));
    for (int i = 0; i < 3; i++) {
      story.with(B, new Command.Acquire("lease-" + i, "b", TTL, i, false, false));
    }

    for (int limit = 0; limit < 6; limit++) {
      assertThat(Expiry.due(story.table(), millis(30_000), limit)).hasSize(limit);
    }
  }
}
