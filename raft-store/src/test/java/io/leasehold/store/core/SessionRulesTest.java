package io.leasehold.store.core;

import static io.leasehold.store.core.Cast.A;
import static io.leasehold.store.core.Cast.B;
import static io.leasehold.store.core.Cast.C;
import static io.leasehold.store.core.Cast.PRINTER;
import static io.leasehold.store.core.Cast.SESSION_TTL;
import static io.leasehold.store.core.Cast.TTL;
import static io.leasehold.store.core.Cast.acquire;
import static io.leasehold.store.core.Cast.confirm;
import static io.leasehold.store.core.Cast.expire;
import static io.leasehold.store.core.Cast.granted;
import static io.leasehold.store.core.Cast.holder;
import static io.leasehold.store.core.Cast.leave;
import static io.leasehold.store.core.Cast.millis;
import static io.leasehold.store.core.Cast.queue;
import static io.leasehold.store.core.Cast.release;
import static io.leasehold.store.core.Cast.released;
import static io.leasehold.store.core.Cast.revoke;
import static io.leasehold.store.core.Cast.sessionEnded;
import static io.leasehold.store.core.Cast.skipped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class SessionRulesTest {

  @Test
  void theWholeOutcomeOfOpening() {
    Outcome outcome = new Story().at(5).does(A, new Command.OpenSession("node-a", SESSION_TTL));

    BatchReply reply =
        new BatchReply(
            BatchReply.Status.APPLIED, 1, List.of(), false, List.of(new Reply.SessionOpened()), 0);
    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                reply,
                List.of(
                    new Change.PutState(new StoreState(millis(5), 0, 1, 1, 0)),
                    new Change.PutSession(
                        new Session(A, "node-a", SESSION_TTL, 1, millis(5), 1, 0, false)),
                    new Change.PutLastReply(A, reply)),
                List.of(new Event.SessionOpened(holder(A, "")))));
  }

  static Stream<Arguments> openingsOverALimit() {
    return Stream.of(
        argumentSet("no node", new Command.OpenSession(" ", SESSION_TTL)),
        argumentSet("long node", new Command.OpenSession("n".repeat(257), SESSION_TTL)),
        argumentSet("no ttl", new Command.OpenSession("n", 0)),
        argumentSet("long ttl", new Command.OpenSession("n", millis(86_400_000) + 1)));
  }

  @ParameterizedTest
  @MethodSource("openingsOverALimit")
  void anOpeningOverALimitIsRefused(Command opening) {
    Story story = new Story();

    Outcome outcome = story.does(A, opening);

    assertThat(outcome.reply()).isEqualTo(withoutEffect(BatchReply.Status.REFUSED, 1));
    assertThat(outcome.events()).isEmpty();
    assertThat(story.table().sessions()).isEmpty();
  }

  @Test
  void openingsAtTheLimitsAreFine() {
    Story story = new Story();

    story.with(A, new Command.OpenSession("n".repeat(256), millis(86_400_000)));
    story.with(B, new Command.OpenSession("n", 1));

    assertThat(story.table().sessions()).extracting(Session::id).containsExactly(A, B);
  }

  @Test
  void aStoreAtItsLimitRefusesOneMoreSession() {
    Story story = new Story(new Limits(10, 10, 10, 1, 10)).opened(A);

    Outcome outcome = story.does(B, new Command.OpenSession("node-b", SESSION_TTL));

    assertThat(outcome.reply()).isEqualTo(withoutEffect(BatchReply.Status.REFUSED, 2));
    assertThat(story.table().sessions()).extracting(Session::id).containsExactly(A);
  }

  @Test
  void openingTwiceByTheSameBatchIsOpeningOnce() {
    Story story = new Story().opened(A);

    Outcome outcome = story.repeats(A, new Command.OpenSession("node-a", SESSION_TTL));

    assertThat(outcome.reply().index()).isEqualTo(1);
    assertThat(outcome.events()).isEmpty();
    assertThat(story.table().state().sessionsOpened()).isEqualTo(1);
  }

  @Test
  void openingAnOpenSessionIsRefused() {
    Outcome outcome = new Story().opened(A).does(A, new Command.OpenSession("n", SESSION_TTL));

    assertThat(outcome.reply().replies())
        .containsExactly(new Reply.Refused("the session is open already"));
  }

  static Stream<Arguments> firstBatches() {
    return Stream.of(
        argumentSet("nothing", List.of()),
        argumentSet("an acquire", List.of(acquire("a", 1))),
        argumentSet(
            "opening and more",
            List.of(new Command.OpenSession("node-a", SESSION_TTL), acquire("a", 1))));
  }

  @ParameterizedTest
  @MethodSource("firstBatches")
  void onlyAnOpeningMakesASessionKnown(List<Command> commands) {
    Story story = new Story();

    Outcome outcome = story.apply(Batch.of(A, 1, commands));

    assertThat(outcome.reply()).isEqualTo(withoutEffect(BatchReply.Status.SESSION_UNKNOWN, 1));
    assertThat(outcome.events()).isEmpty();
    assertThat(outcome.changes()).containsExactly(new Change.PutState(StoreState.INITIAL));
  }

  @Test
  void theSameBatchAgainHasTheSameReplyAndNoEffect() {
    Story story = new Story().opened(A, B).with(B, acquire("b", 1)).with(A, queue("a", 1));
    story.with(B, release(1));
    Outcome first = story.does(A, leave(1), acquire("a", 2));
    MapLeaseTable.Contents before = story.table().contents();

    Outcome again = story.at(1_000).repeats(A, leave(1), acquire("a", 2));

    assertThat(again.reply()).isEqualTo(first.reply());
    assertThat(again.events()).isEmpty();
    assertThat(again.changes())
        .containsExactly(new Change.PutState(new StoreState(millis(1_000), 3, 2, 2, 1)));
    assertThat(story.table().sessions()).isEqualTo(List.copyOf(sorted(before)));
  }

  private static List<Session> sorted(MapLeaseTable.Contents contents) {
    return contents.sessions().values().stream()
        .sorted((one, other) -> one.id().compareTo(other.id()))
        .toList();
  }

  @Test
  void anEarlierBatchIsStale() {
    Story story = new Story().opened(A).with(A, acquire("a", 1)).with(A, release(1));

    Outcome outcome = story.apply(Batch.of(A, 2, List.of(acquire("a", 1))));

    assertThat(outcome.reply()).isEqualTo(withoutEffect(BatchReply.Status.STALE, 4));
    assertThat(story.table().leases()).isEmpty();
  }

  /** They may have been on their way for longer than the session has lived. */
  @Test
  void lateCopiesOfAnEndedSessionsBatchesHoldNothing() {
    Command opening = new Command.OpenSession("node-a", SESSION_TTL);
    Story story = new Story().opened(B, A);
    story.with(A, acquire("a", 1)).with(A, new Command.CloseSession());
    MapLeaseTable.Contents before = story.table().contents();

    Outcome openedAgain = story.apply(Batch.of(A, 1, List.of(opening)));
    Outcome openedOnceMore = story.apply(Batch.of(A, 1, List.of(opening)));
    Outcome acquired = story.apply(Batch.of(A, 3, List.of(acquire("a", 1))));
    Outcome closed = story.apply(Batch.of(A, 4, List.of(new Command.CloseSession())));

    assertThat(openedAgain.reply().status()).isEqualTo(BatchReply.Status.APPLIED);
    assertThat(openedOnceMore.reply()).isEqualTo(openedAgain.reply());
    assertThat(acquired.reply().status()).isEqualTo(BatchReply.Status.SESSION_UNKNOWN);
    assertThat(closed.reply().status()).isEqualTo(BatchReply.Status.SESSION_UNKNOWN);
    assertThat(story.table().leases()).isEmpty();
    story.at(30_000).withStores(new Command.ExpireSession(A), new Command.ExpireSession(B));
    assertThat(before.sessions()).containsOnlyKeys(B);
    assertThat(story.table().sessions()).isEmpty();
  }

  @Test
  void sequencesMayHaveGaps() {
    Story story = new Story().opened(A);

    Outcome outcome = story.apply(Batch.of(A, 70, List.of(acquire("a", 1))));

    assertThat(outcome.reply().status()).isEqualTo(BatchReply.Status.APPLIED);
    assertThat(story.table().session(A).orElseThrow().sequence()).isEqualTo(70);
  }

  @Test
  void aBatchOverTheLimitIsRefusedAndMayComeAgainSmaller() {
    Story story = new Story(new Limits(2, 10, 10, 10, 10)).opened(A);

    Outcome larger = story.apply(Batch.of(A, 2, Collections.nCopies(3, new Command.Reconcile())));
    Outcome smaller = story.apply(Batch.of(A, 2, Collections.nCopies(2, new Command.Reconcile())));

    assertThat(larger.reply()).isEqualTo(withoutEffect(BatchReply.Status.REFUSED, 2));
    assertThat(smaller.reply().status()).isEqualTo(BatchReply.Status.APPLIED);
  }

  @Test
  void closingFreesHoldsAndPlacesAndHandsOver() {
    Story story = new Story().opened(A, B, C);
    story.with(A, acquire("a", 1), queue("b", 2), other("a", 3));
    story.with(C, queue("c", 1));
    story.with(B, new Command.Acquire("third", "b", TTL, 1, false, false));
    story.with(A, new Command.Acquire("third", "a", TTL, 4, true, false));

    Outcome outcome = story.does(A, new Command.CloseSession());

    assertThat(outcome.reply().replies()).containsExactly(new Reply.SessionClosed());
    assertThat(outcome.reply().news()).isEmpty();
    assertThat(outcome.reply().heldDigest()).isZero();
    assertThat(outcome.events())
        .containsExactly(
            new Event.Released("other", holder(A, "a"), 2),
            released(A, "a", 1),
            granted(C, "c", 4, 1),
            sessionEnded(A));
    assertThat(story.table().claims(A)).isEmpty();
    assertThat(story.table().lease("third").orElseThrow().queue()).isEmpty();
    assertThat(story.table().contents().lastReplies()).containsOnlyKeys(B, C);
  }

  @Test
  void afterClosingTheSameBatchOrAnotherFindsNoSession() {
    Story story = new Story().opened(A).with(A, new Command.CloseSession());

    Outcome again = story.repeats(A, new Command.CloseSession());
    Outcome another = story.does(A);

    assertThat(again.reply().status()).isEqualTo(BatchReply.Status.SESSION_UNKNOWN);
    assertThat(another.reply().status()).isEqualTo(BatchReply.Status.SESSION_UNKNOWN);
  }

  @Test
  void commandsAfterClosingInItsBatchFindNothing() {
    Story story = new Story().opened(A, B).with(B, acquire("b", 1)).with(A, queue("a", 1));

    Outcome outcome =
        story.does(
            A,
            new Command.CloseSession(),
            acquire("a", 2),
            confirm(1),
            release(1),
            leave(1),
            new Command.Reconcile(),
            new Command.CloseSession(),
            revoke(1));

    assertThat(outcome.reply().replies())
        .containsExactly(
            new Reply.SessionClosed(),
            new Reply.Refused("the session was closed by the same batch"),
            new Reply.NotHeld(),
            new Reply.NotHeld(),
            new Reply.NotHeld(),
            new Reply.Held(List.of(), List.of()),
            new Reply.SessionClosed(),
            new Reply.Revoked());
    assertThat(outcome.events()).containsExactly(sessionEnded(A), Cast.revoked(B, "b", 1, false));
    assertThat(story.table().sessions()).extracting(Session::id).containsExactly(B);
  }

  static Stream<Arguments> expiries() {
    return Stream.of(
        argumentSet("just before its ttl", new Story().opened(A).at(29_999), false),
        argumentSet("at its ttl", new Story().opened(A).at(30_000), true),
        argumentSet(
            "just before its ttl after a renewal",
            new Story().opened(A).at(10_000).with(A).at(39_999),
            false),
        argumentSet(
            "at its ttl after a renewal",
            new Story().opened(A).at(10_000).with(A).at(40_000),
            true),
        argumentSet(
            "with a hold, however overdue",
            new Story().opened(A).with(A, acquire("a", 1)).at(90_000),
            false),
        argumentSet(
            "with a place in a queue",
            new Story()
                .opened(A, B)
                .with(B, acquire("b", 1))
                .with(A, queue("a", 1))
                .at(90_000)
                .with(B),
            false),
        argumentSet(
            "once its hold has expired",
            new Story().opened(A).with(A, acquire("a", 1)).at(90_000).withStores(expire(A, 1)),
            true));
  }

  @ParameterizedTest
  @MethodSource("expiries")
  void anIdleSessionExpires(Story story, boolean expires) {
    Outcome outcome = story.storeDoes(new Command.ExpireSession(A));

    assertThat(outcome.reply().replies()).containsExactly(new Reply.Decided());
    assertThat(outcome.events()).isEqualTo(expires ? List.of(sessionEnded(A)) : List.of());
    assertThat(story.table().session(A).isEmpty()).isEqualTo(expires);
  }

  @Test
  void aSessionThatIsNotThereDoesNotExpire() {
    Outcome outcome = new Story().storeDoes(new Command.ExpireSession(A));

    assertThat(outcome.events()).isEmpty();
  }

  @Test
  void nothingOfASessionRemains() {
    Story story =
        new Story()
            .opened(A, B)
            .with(A, acquire("a", 1))
            .with(B, queue("b", 1))
            .at(50_000)
            .withStores(expire(A, 1), expire(B, 1));

    Outcome outcome = story.storeDoes(new Command.ExpireSession(A), new Command.ExpireSession(B));

    assertThat(outcome.events()).containsExactly(sessionEnded(A), sessionEnded(B));
    assertThat(story.table().contents())
        .isEqualTo(
            new MapLeaseTable.Contents(
                new StoreState(millis(50_000), 1, 2, 0, 0),
                3,
                6,
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                Map.of()));
  }

  @Test
  void newsOfASkippedPlaceReachesItsSession() {
    Story story =
        new Story()
            .opened(A, B)
            .with(A, acquire("a", 1))
            .with(B, queue("b", 1))
            .at(10_000)
            .with(A)
            .withStores(expire(B, 1));

    Outcome outcome = story.does(B);

    assertThat(outcome.reply().news()).containsExactly(skipped(B, "b", 1));
    assertThat(story.table().lease(PRINTER).orElseThrow().queue()).isEmpty();
  }

  private static BatchReply withoutEffect(BatchReply.Status status, long index) {
    return new BatchReply(status, index, List.of(), false, List.of(), 0);
  }

  private static Command other(String owner, long acquisitionId) {
    return new Command.Acquire("other", owner, TTL, acquisitionId, false, false);
  }
}
