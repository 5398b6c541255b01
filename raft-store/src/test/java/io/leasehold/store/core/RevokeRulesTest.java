package io.leasehold.store.core;

import static io.leasehold.store.core.Cast.A;
import static io.leasehold.store.core.Cast.B;
import static io.leasehold.store.core.Cast.C;
import static io.leasehold.store.core.Cast.PRINTER;
import static io.leasehold.store.core.Cast.acquire;
import static io.leasehold.store.core.Cast.claim;
import static io.leasehold.store.core.Cast.confirm;
import static io.leasehold.store.core.Cast.granted;
import static io.leasehold.store.core.Cast.holder;
import static io.leasehold.store.core.Cast.leave;
import static io.leasehold.store.core.Cast.millis;
import static io.leasehold.store.core.Cast.queue;
import static io.leasehold.store.core.Cast.release;
import static io.leasehold.store.core.Cast.released;
import static io.leasehold.store.core.Cast.revoke;
import static io.leasehold.store.core.Cast.revokeUnsafely;
import static io.leasehold.store.core.Cast.revoked;
import static io.leasehold.store.core.Cast.takenOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Also release and confirm, which are about one token as well. */
final class RevokeRulesTest {

  private static Story story() {
    return new Story().opened(A, B, C);
  }

  static Stream<Arguments> commands() {
    return Stream.of(
        argumentSet(
            "the holder releases",
            story().with(A, acquire("a", 1)),
            A,
            release(1),
            new Reply.Released(1),
            List.of(released(A, "a", 1))),
        argumentSet(
            "another session does not release",
            story().with(A, acquire("a", 1)),
            B,
            release(1),
            new Reply.NotHeld(),
            List.of()),
        argumentSet(
            "an earlier token does not release",
            story().with(A, acquire("a", 1)).with(A, acquire("a", 2)),
            A,
            release(1),
            new Reply.NotHeld(),
            List.of()),
        argumentSet(
            "a free lease is not released", story(), A, release(1), new Reply.NotHeld(), List.of()),
        argumentSet(
            "a revoked hold is released by its holder",
            story().with(A, acquire("a", 1)).with(B, revoke(1)),
            A,
            release(1),
            new Reply.Released(1),
            List.of(released(A, "a", 1))),
        argumentSet(
            "a revoked hold is given back by its holder",
            story().with(A, acquire("a", 1)).with(B, revoke(1)),
            A,
            leave(1),
            new Reply.Released(1),
            List.of(released(A, "a", 1))),
        argumentSet(
            "the holder is confirmed",
            story().with(A, acquire("a", 1)),
            A,
            confirm(1),
            new Reply.Confirmed(),
            List.of()),
        argumentSet(
            "another session is not confirmed",
            story().with(A, acquire("a", 1)),
            B,
            confirm(1),
            new Reply.NotHeld(),
            List.of()),
        argumentSet(
            "another token is not confirmed",
            story().with(A, acquire("a", 1)),
            A,
            confirm(2),
            new Reply.NotHeld(),
            List.of()),
        argumentSet(
            "a free lease is not confirmed",
            story(),
            A,
            confirm(1),
            new Reply.NotHeld(),
            List.of()),
        argumentSet(
            "a revoked hold is not confirmed",
            story().with(A, acquire("a", 1)).with(B, revoke(1)),
            A,
            confirm(1),
            new Reply.NotHeld(),
            List.of()),
        argumentSet(
            "a confirmation renews",
            story().with(A, acquire("a", 1)).at(9_999).with(A, confirm(1)).at(19_998),
            B,
            acquire("b", 1),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "a hold is revoked",
            story().with(A, acquire("a", 1)),
            B,
            revoke(1),
            new Reply.Revoked(),
            List.of(revoked(A, "a", 1, false))),
        argumentSet(
            "a hold is revoked once",
            story().with(A, acquire("a", 1)).with(B, revoke(1)),
            C,
            revoke(1),
            new Reply.Revoked(),
            List.of()),
        argumentSet(
            "another token is not revoked",
            story().with(A, acquire("a", 1)).with(A, acquire("a", 2)),
            B,
            revoke(1),
            new Reply.NotHeld(),
            List.of()),
        argumentSet(
            "a free lease is not revoked", story(), B, revoke(1), new Reply.NotHeld(), List.of()),
        argumentSet(
            "a long reason is refused",
            story().with(A, acquire("a", 1)),
            B,
            new Command.Revoke(PRINTER, 1, "r".repeat(1_001), false),
            new Reply.Refused("a reason has at most 1000 characters"),
            List.of()),
        argumentSet(
            "a revoked hold keeps others out until its expiry",
            story().with(A, acquire("a", 1)).with(B, revoke(1)).at(9_999).with(A),
            C,
            acquire("c", 1),
            new Reply.HeldByOther(holder(A, "a"), 1),
            List.of()),
        argumentSet(
            "a revoked hold can be taken over at its expiry although it was renewed",
            story().with(A, acquire("a", 1)).with(B, revoke(1)).at(9_999).with(A).at(10_000),
            C,
            acquire("c", 1),
            new Reply.Granted(2),
            List.of(takenOver(A, "a", 1, C, "c"), granted(C, "c", 2, 1))),
        argumentSet(
            "an unsafe revocation frees",
            story().with(A, acquire("a", 1)),
            B,
            revokeUnsafely(1),
            new Reply.Revoked(),
            List.of(revoked(A, "a", 1, true))),
        argumentSet(
            "an unsafe revocation hands over",
            story().with(A, acquire("a", 1)).with(C, queue("c", 1)),
            B,
            revokeUnsafely(1),
            new Reply.Revoked(),
            List.of(revoked(A, "a", 1, true), granted(C, "c", 2, 1))),
        argumentSet(
            "an unsafe revocation frees what was revoked safely",
            story().with(A, acquire("a", 1)).with(B, revoke(1)),
            B,
            revokeUnsafely(1),
            new Reply.Revoked(),
            List.of(revoked(A, "a", 1, true))));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aboutOneHold(
      Story story, SessionId session, Command command, Reply reply, List<Event> events) {
    Outcome outcome = story.does(session, command);

    assertThat(outcome.reply().replies()).containsExactly(reply);
    assertThat(outcome.events()).isEqualTo(events);
  }

  @Test
  void theWholeOutcomeOfARevocation() {
    Story story = new Story().opened(A, B).at(1_000).with(A, acquire("a", 1)).at(2_000);

    Outcome outcome = story.does(B, revoke(1));

    BatchReply reply =
        new BatchReply(
            BatchReply.Status.APPLIED, 4, List.of(), false, List.of(new Reply.Revoked()), 0);
    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                reply,
                List.of(
                    new Change.PutState(new StoreState(millis(2_000), 1, 2, 2, 1)),
                    new Change.PutLease(Cast.held(A, "a", 1, 1).revokedUntil(millis(11_000))),
                    new Change.PutRevoked(claim(A, 1), millis(11_000)),
                    new Change.PutNews(A, List.of(revoked(A, "a", 1, false))),
                    new Change.PutSession(
                        new Session(B, "node-b", Cast.SESSION_TTL, 2, millis(2_000), 3, 0, false)),
                    new Change.PutSession(
                        new Session(A, "node-a", Cast.SESSION_TTL, 1, millis(1_000), 2, 0, false)),
                    new Change.PutLastReply(B, reply)),
                List.of(revoked(A, "a", 1, false))));
  }

  @Test
  void theReasonMayBeAsLongAsItsLimit() {
    Story story = story().with(A, acquire("a", 1));

    Outcome outcome = story.does(B, new Command.Revoke(PRINTER, 1, "r".repeat(1_000), false));

    assertThat(outcome.reply().replies()).containsExactly(new Reply.Revoked());
  }

  @Test
  void revokingOnesOwnHoldIsNewsAllTheSame() {
    Story story = story().with(A, acquire("a", 1));

    Outcome outcome = story.does(A, revoke(1));

    assertThat(outcome.reply().news()).containsExactly(revoked(A, "a", 1, false));
    assertThat(outcome.reply().heldDigest()).isZero();
  }

  @Test
  void reconcilingTellsWhatIsHeldAndWaitedForAndNotWhatIsRevoked() {
    Story story = story().with(A, acquire("a", 1), lease("second", 2), lease("third", 3));
    story.with(B, lease("fourth", 1)).with(C, new Command.Revoke("second", 2, "why", false));
    story.with(A, new Command.Acquire("fourth", "a", Cast.TTL, 4, true, false));

    Outcome outcome = story.does(A, new Command.Reconcile(), release(1), new Command.Reconcile());

    Reply.Hold printer = new Reply.Hold(PRINTER, "a", 1, 1);
    Reply.Hold third = new Reply.Hold("third", "a", 3, 3);
    assertThat(outcome.reply().replies())
        .containsExactly(
            new Reply.Held(List.of(printer, third), List.of(4L)),
            new Reply.Released(1),
            new Reply.Held(List.of(third), List.of(4L)));
  }

  private static Command lease(String name, long acquisitionId) {
    return new Command.Acquire(name, "a", Cast.TTL, acquisitionId, false, false);
  }
}
