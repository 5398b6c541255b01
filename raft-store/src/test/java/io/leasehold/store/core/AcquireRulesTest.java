package io.leasehold.store.core;

import static io.leasehold.store.core.Cast.A;
import static io.leasehold.store.core.Cast.B;
import static io.leasehold.store.core.Cast.C;
import static io.leasehold.store.core.Cast.PRINTER;
import static io.leasehold.store.core.Cast.TTL;
import static io.leasehold.store.core.Cast.acquire;
import static io.leasehold.store.core.Cast.claim;
import static io.leasehold.store.core.Cast.expired;
import static io.leasehold.store.core.Cast.granted;
import static io.leasehold.store.core.Cast.held;
import static io.leasehold.store.core.Cast.holder;
import static io.leasehold.store.core.Cast.millis;
import static io.leasehold.store.core.Cast.queue;
import static io.leasehold.store.core.Cast.reclaim;
import static io.leasehold.store.core.Cast.release;
import static io.leasehold.store.core.Cast.released;
import static io.leasehold.store.core.Cast.revoke;
import static io.leasehold.store.core.Cast.skipped;
import static io.leasehold.store.core.Cast.takenOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class AcquireRulesTest {

  private static Story story() {
    return new Story().opened(A, B, C);
  }

  static Stream<Arguments> acquires() {
    return Stream.of(
        argumentSet(
            "a free lease is granted",
            story(),
            A,
            acquire("a", 1),
            new Reply.Granted(1),
            List.of(granted(A, "a", 1, 1))),
        argumentSet(
            "a held lease is not",
            story().with(A, acquire("a", 1)),
            B,
            acquire("b", 1),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "the same owner in another session is another holder",
            story().with(A, acquire("a", 1)),
            B,
            acquire("a", 1),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "another owner in the same session is another holder",
            story().with(A, acquire("a", 1)),
            A,
            acquire("b", 2),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "the same acquire again has the same result",
            story().with(A, acquire("a", 1)),
            A,
            acquire("a", 1),
            new Reply.Granted(1),
            List.of()),
        argumentSet(
            "a later acquire of the holder is a new grant with a new token",
            story().with(A, acquire("a", 1)),
            A,
            acquire("a", 2),
            new Reply.Granted(2),
            List.of(released(A, "a", 1), granted(A, "a", 2, 2))),
        argumentSet(
            "a later acquire of the holder goes to the end of the queue",
            story().with(A, acquire("a", 1)).with(B, queue("b", 1)),
            A,
            queue("a", 2),
            new Reply.Queued(),
            List.of(released(A, "a", 1), granted(B, "b", 2, 1))),
        argumentSet(
            "an earlier acquire of the holder has no effect",
            story().with(A, acquire("a", 2)),
            A,
            acquire("a", 1),
            new Reply.Refused("a later acquire of the same holder has been granted"),
            List.of()),
        argumentSet(
            "the same acquire again after a revocation is not granted",
            story().with(A, acquire("a", 1)).with(B, revoke(1)),
            A,
            acquire("a", 1),
            new Reply.Refused("the hold has been revoked"),
            List.of()),
        argumentSet(
            "a later acquire of the holder confirms a revocation",
            story().with(A, acquire("a", 1)).with(B, revoke(1)),
            A,
            acquire("a", 2),
            new Reply.Granted(2),
            List.of(released(A, "a", 1), granted(A, "a", 2, 2))),
        argumentSet(
            "an acquisition id of another owner's hold is refused",
            story().with(A, acquire("a", 1)),
            A,
            queue("b", 1),
            new Reply.Refused("the acquisition id is that of another owner"),
            List.of()),
        argumentSet(
            "an acquisition id of another owner's place is refused",
            story().with(B, acquire("b", 1)).with(A, queue("a", 1)),
            A,
            queue("b", 1),
            new Reply.Refused("the acquisition id is that of another owner"),
            List.of()),
        argumentSet(
            "the same acquisition id in another session is another acquire",
            story().with(B, acquire("b", 1)).with(A, queue("a", 1)),
            C,
            queue("a", 1),
            new Reply.Queued(),
            List.of()),
        argumentSet(
            "a lease is held until just before its expiry",
            story().with(A, acquire("a", 1)).at(9_999),
            B,
            acquire("b", 1),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "a lease can be taken over at the very instant of its expiry",
            story().with(A, acquire("a", 1)).at(10_000),
            B,
            acquire("b", 1),
            new Reply.Granted(2),
            List.of(takenOver(A, "a", 1, B, "b"), granted(B, "b", 2, 1))),
        argumentSet(
            "a renewal counts from its own stamp",
            story().with(A, acquire("a", 1)).at(4_000).with(A).at(13_999),
            B,
            acquire("b", 1),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "a renewed lease ends a ttl after its renewal",
            story().with(A, acquire("a", 1)).at(4_000).with(A).at(14_000),
            B,
            acquire("b", 1),
            new Reply.Granted(2),
            List.of(takenOver(A, "a", 1, B, "b"), granted(B, "b", 2, 1))),
        argumentSet(
            "an overdue lease that nobody has taken is renewed like any other",
            story().with(A, acquire("a", 1)).at(20_000).with(A).at(29_999),
            B,
            acquire("b", 1),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "an acquire of another lease renews too",
            story()
                .with(A, acquire("a", 1))
                .at(4_000)
                .with(A, new Command.Acquire("other", "a", TTL, 2, false, false))
                .at(13_999),
            B,
            acquire("b", 1),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "an overdue lease goes to its first living waiter, not to who finds it",
            story().with(A, acquire("a", 1)).at(5_000).with(B, queue("b", 1)).at(10_000),
            C,
            acquire("c", 1),
            new Reply.HeldByOther(holder(B, "b"), 2),
            List.of(expired(A, "a", 1), granted(B, "b", 2, 1))),
        argumentSet(
            "an overdue lease whose waiters are dead goes to who finds it",
            story().with(A, acquire("a", 1)).with(B, queue("b", 1)).at(10_000),
            C,
            acquire("c", 1),
            new Reply.Granted(2),
            List.of(takenOver(A, "a", 1, C, "c"), skipped(B, "b", 1), granted(C, "c", 2, 1))),
        argumentSet(
            "who waits for an overdue lease and asks again is granted its place",
            story().with(A, acquire("a", 1)).at(5_000).with(B, queue("b", 1)).at(10_000),
            B,
            queue("b", 1),
            new Reply.Granted(2),
            List.of(expired(A, "a", 1), granted(B, "b", 2, 1))),
        argumentSet(
            "who has given up its place is granted an overdue lease for the later acquire",
            story().with(A, acquire("a", 1)).at(5_000).with(B, queue("b", 1)).at(10_000),
            B,
            acquire("b", 2),
            new Reply.Granted(2),
            List.of(takenOver(A, "a", 1, B, "b"), granted(B, "b", 2, 2))));
  }

  @ParameterizedTest
  @MethodSource("acquires")
  void acquiring(Story story, SessionId session, Command command, Reply reply, List<Event> events) {
    Outcome outcome = story.does(session, command);

    assertThat(outcome.reply().replies()).containsExactly(reply);
    assertThat(outcome.events()).isEqualTo(events);
  }

  static Stream<Arguments> reclaims() {
    Story older = new Story().opened(B).with(B, acquire("a", 1)).opened(A);
    return Stream.of(
        argumentSet(
            "the same owner in a newer session takes over at once",
            story().with(A, acquire("a", 1)),
            B,
            reclaim("a", 1),
            new Reply.Granted(2),
            List.of(takenOver(A, "a", 1, B, "a"), granted(B, "a", 2, 1))),
        argumentSet(
            "the same owner in an older session does not",
            older.with(B, release(1)).with(A, acquire("a", 1)),
            B,
            reclaim("a", 2),
            new Reply.HeldByOther(holder(A, "a"), 2),
            List.of()),
        argumentSet(
            "another owner does not",
            story().with(A, acquire("a", 1)),
            B,
            reclaim("b", 1),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "another owner of the same session does not",
            story().with(A, acquire("a", 1)),
            A,
            reclaim("b", 2),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "a reclaim ends a revoked hold too",
            story().with(A, acquire("a", 1)).with(C, revoke(1)),
            B,
            reclaim("a", 1),
            new Reply.Granted(2),
            List.of(takenOver(A, "a", 1, B, "a"), granted(B, "a", 2, 1))),
        argumentSet(
            "a reclaim of an overdue lease waits its turn",
            story().with(A, acquire("a", 1)).at(5_000).with(C, queue("c", 1)).at(10_000),
            B,
            reclaim("a", 1),
            new Reply.HeldByOther(holder(C, "c"), 2),
            List.of(expired(A, "a", 1), granted(C, "c", 2, 1))));
  }

  @ParameterizedTest
  @MethodSource("reclaims")
  void reclaiming(
      Story story, SessionId session, Command command, Reply reply, List<Event> events) {
    acquiring(story, session, command, reply, events);
  }

  @Test
  void aReclaimLeavesTheQueueAsItIsButForItsOwnPlace() {
    Story story =
        story()
            .with(A, acquire("a", 1))
            .with(C, queue("c", 1))
            .with(B, queue("a", 1))
            .with(B, queue("b", 2));

    story.with(B, reclaim("a", 3));

    assertThat(story.table().lease(PRINTER))
        .contains(
            held(B, "a", 2, 3)
                .withQueue(
                    List.of(
                        new Waiter(holder(C, "c"), TTL, 1), new Waiter(holder(B, "b"), TTL, 2))));
    assertThat(story.table().news(A)).containsExactly(takenOver(A, "a", 1, B, "a"));
  }

  @Test
  void whoReclaimsWhileItWaitsLeavesTheQueue() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("a", 1)).with(C, queue("c", 1));

    story.with(B, new Command.Acquire(PRINTER, "a", TTL, 1, true, true));

    assertThat(story.table().lease(PRINTER))
        .contains(held(B, "a", 2, 1).withQueue(List.of(new Waiter(holder(C, "c"), TTL, 1))));
  }

  @Test
  void theWholeOutcomeOfAGrant() {
    Story story = new Story().opened(A).at(1_000);

    Outcome outcome = story.does(A, acquire("a", 1));

    long digest = Session.digestWith(0, 1);
    BatchReply reply =
        new BatchReply(
            BatchReply.Status.APPLIED, 2, List.of(), false, List.of(new Reply.Granted(1)), digest);
    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                reply,
                List.of(
                    new Change.PutState(new StoreState(millis(1_000), 1, 1, 1, 1)),
                    new Change.PutLease(held(A, "a", 1, 1)),
                    new Change.PutClaim(claim(A, 1)),
                    new Change.PutSession(
                        new Session(
                            A, "node-a", Cast.SESSION_TTL, 1, millis(1_000), 2, digest, false)),
                    new Change.PutLastReply(A, reply)),
                List.of(granted(A, "a", 1, 1))));
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        argumentSet("blank name", new Command.Acquire(" ", "a", TTL, 1, false, false), "name"),
        argumentSet(
            "long name", new Command.Acquire("n".repeat(513), "a", TTL, 1, false, false), "name"),
        argumentSet("blank owner", new Command.Acquire(PRINTER, "", TTL, 1, false, false), "owner"),
        argumentSet(
            "long owner",
            new Command.Acquire(PRINTER, "o".repeat(257), TTL, 1, false, false),
            "owner"),
        argumentSet(
            "short ttl",
            new Command.Acquire(PRINTER, "a", millis(100) - 1, 1, false, false),
            "ttl"),
        argumentSet(
            "long ttl",
            new Command.Acquire(PRINTER, "a", millis(86_400_000) + 1, 1, false, false),
            "ttl"),
        argumentSet(
            "negative ttl",
            new Command.Acquire(PRINTER, "a", Long.MIN_VALUE, 1, false, false),
            "ttl"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aMalformedAcquireIsRefusedWithTheField(Command command, String field) {
    Outcome outcome = story().does(A, command);

    assertThat(outcome.reply().status()).isEqualTo(BatchReply.Status.APPLIED);
    assertThat(outcome.reply().replies())
        .singleElement()
        .isInstanceOfSatisfying(
            Reply.Refused.class, refused -> assertThat(refused.reason()).startsWith(field + " "));
    assertThat(outcome.events()).isEmpty();
  }

  @Test
  void theLongestAndShortestTtlAndTheLongestNamesAreGranted() {
    Outcome outcome =
        story()
            .does(
                A,
                new Command.Acquire("n".repeat(512), "a", millis(100), 1, false, false),
                new Command.Acquire("m", "o".repeat(256), millis(86_400_000), 2, false, false));

    assertThat(outcome.reply().replies())
        .containsExactly(new Reply.Granted(1), new Reply.Granted(2));
  }

  @Test
  void aStoreAtItsLimitRefusesOneMoreLeaseButNotATakeover() {
    Story story = new Story(new Limits(10, 10, 1, 10, 10)).opened(A, B).with(A, acquire("a", 1));

    Outcome more = story.does(B, new Command.Acquire("other", "b", TTL, 1, false, false));
    Outcome takeover = story.at(10_000).does(B, acquire("b", 2));

    assertThat(more.reply().replies())
        .containsExactly(new Reply.Refused("the store holds its limit of 1 leases"));
    assertThat(takeover.reply().replies()).containsExactly(new Reply.Granted(2));
  }

  @Test
  void laterCommandsOfABatchSeeWhatEarlierOnesDid() {
    Outcome outcome =
        story().does(A, acquire("a", 1), acquire("b", 2), release(1), acquire("b", 3));

    assertThat(outcome.reply().replies())
        .containsExactly(
            new Reply.Granted(1),
            new Reply.HeldByOther(holder(A, "a"), 1),
            new Reply.Released(1),
            new Reply.Granted(2));
    assertThat(outcome.reply().heldDigest()).isEqualTo(Session.digestWith(0, 2));
  }

  @Test
  void tokensStartAboveTheFloorAndGoOnFromThere() {
    Story story = new Story().opened(A);

    Entry entry = story.nextEntry();
    story.apply(
        Batch.of(A, 2, List.of(acquire("a", 1))),
        new Entry(entry.index(), entry.term(), 0, entry.term(), 1_000));
    entry = story.nextEntry();
    story.apply(
        Batch.of(A, 3, List.of(acquire("a", 2))),
        new Entry(entry.index(), entry.term(), 0, entry.term(), 500));

    assertThat(story.table().lease(PRINTER).map(HeldLease::token)).isEqualTo(Optional.of(1_002L));
  }
}
