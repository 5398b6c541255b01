package io.leasehold.store.core;

import static io.leasehold.store.core.Cast.A;
import static io.leasehold.store.core.Cast.B;
import static io.leasehold.store.core.Cast.C;
import static io.leasehold.store.core.Cast.PRINTER;
import static io.leasehold.store.core.Cast.TTL;
import static io.leasehold.store.core.Cast.acquire;
import static io.leasehold.store.core.Cast.claim;
import static io.leasehold.store.core.Cast.granted;
import static io.leasehold.store.core.Cast.held;
import static io.leasehold.store.core.Cast.holder;
import static io.leasehold.store.core.Cast.leave;
import static io.leasehold.store.core.Cast.millis;
import static io.leasehold.store.core.Cast.queue;
import static io.leasehold.store.core.Cast.release;
import static io.leasehold.store.core.Cast.released;
import static io.leasehold.store.core.Cast.skipped;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class QueueRulesTest {

  private static Story story() {
    return new Story().opened(A, B, C);
  }

  @Test
  void theWholeOutcomeOfAHandOver() {
    Story story = story().with(A, acquire("a", 1)).at(1_000).with(B, queue("b", 1)).at(2_000);

    Outcome outcome = story.does(A, release(1));

    BatchReply reply =
        new BatchReply(
            BatchReply.Status.APPLIED, 6, List.of(), false, List.of(new Reply.Released(1)), 0);
    Event granted = granted(B, "b", 2, 1);
    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                reply,
                List.of(
                    new Change.PutState(new StoreState(millis(2_000), 2, 3, 3, 1)),
                    new Change.PutLease(held(B, "b", 2, 1)),
                    new Change.RemoveClaim(claim(A, 1)),
                    new Change.PutClaim(claim(B, 1)),
                    new Change.PutNews(B, List.of(granted)),
                    new Change.PutSession(
                        new Session(A, "node-a", Cast.SESSION_TTL, 1, millis(2_000), 3, 0, false)),
                    new Change.PutSession(
                        new Session(
                            B,
                            "node-b",
                            Cast.SESSION_TTL,
                            2,
                            millis(1_000),
                            3,
                            Session.digestWith(0, 2),
                            false)),
                    new Change.PutLastReply(A, reply)),
                List.of(released(A, "a", 1), granted)));
  }

  @Test
  void whoWaitsIsGrantedInTheOrderOfComing() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("b", 1)).with(C, queue("c", 1));

    Outcome first = story.does(A, release(1));
    Outcome second = story.does(B, release(2));
    Outcome third = story.does(C, release(3));

    assertThat(first.events()).contains(granted(B, "b", 2, 1));
    assertThat(second.events()).contains(granted(C, "c", 3, 1));
    assertThat(third.events()).containsExactly(released(C, "c", 3));
    assertThat(story.table().leases()).isEmpty();
  }

  @Test
  void aGrantByHandOverIsNewsForItsSession() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("b", 1)).with(A, release(1));

    Outcome outcome = story.does(B);

    assertThat(outcome.reply().news()).containsExactly(granted(B, "b", 2, 1));
    assertThat(outcome.reply().heldDigest()).isEqualTo(Session.digestWith(0, 2));
    assertThat(story.table().news(B)).isEmpty();
  }

  @Test
  void aGrantToAWaiterOfTheReleasingSessionIsNewsInTheSameReply() {
    Story story = story().with(A, acquire("a", 1), queue("b", 2));

    Outcome outcome = story.does(A, release(1));

    assertThat(outcome.reply().replies()).containsExactly(new Reply.Released(1));
    assertThat(outcome.reply().news()).containsExactly(granted(A, "b", 2, 2));
  }

  @Test
  void waitersThatCouldNotBeRenewedForTheirTtlAreSkipped() {
    Story story = story().with(A, acquire("a", 1));
    story.with(B, new Command.Acquire(PRINTER, "b", millis(4_000), 1, true, false));
    story.with(C, new Command.Acquire(PRINTER, "c", millis(4_001), 1, true, false));

    Outcome outcome = story.at(4_000).does(A, release(1));

    assertThat(outcome.events())
        .containsExactly(
            released(A, "a", 1),
            skipped(B, "b", 1),
            new Event.Granted(PRINTER, holder(C, "c"), 2, millis(4_001), 1));
    assertThat(story.table().news(B)).containsExactly(skipped(B, "b", 1));
  }

  @Test
  void aLeaseIsFreeWhenAllItsWaitersAreDead() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("b", 1)).at(9_999).with(A);

    Outcome outcome = story.at(10_000).does(A, release(1));

    assertThat(outcome.events()).containsExactly(released(A, "a", 1), skipped(B, "b", 1));
    assertThat(story.table().lease(PRINTER)).isEmpty();
  }

  @Test
  void theSameAcquireAgainKeepsItsPlace() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("b", 1)).with(C, queue("c", 1));

    Outcome outcome = story.does(B, queue("b", 1));

    assertThat(outcome.reply().replies()).containsExactly(new Reply.Queued());
    assertThat(queueOf(story))
        .containsExactly(new Waiter(holder(B, "b"), TTL, 1), new Waiter(holder(C, "c"), TTL, 1));
  }

  @Test
  void aLaterAcquireOfAWaiterTakesAPlaceAtTheEnd() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("b", 1)).with(C, queue("c", 1));

    story.with(B, queue("b", 2));

    assertThat(queueOf(story))
        .containsExactly(new Waiter(holder(C, "c"), TTL, 1), new Waiter(holder(B, "b"), TTL, 2));
  }

  @Test
  void aLaterAcquireOfAWaiterThatDoesNotWaitGivesThePlaceUp() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("b", 1));

    Outcome outcome = story.does(B, acquire("b", 2));

    assertThat(outcome.reply().replies()).containsExactly(new Reply.HeldByOther(holder(A, "a"), 1));
    assertThat(queueOf(story)).isEmpty();
  }

  @Test
  void anEarlierAcquireOfAWaiterHasNoEffect() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("b", 2));

    Outcome outcome = story.does(B, queue("b", 1));

    assertThat(outcome.reply().replies())
        .containsExactly(new Reply.Refused("a later acquire of the same holder waits"));
    assertThat(queueOf(story)).containsExactly(new Waiter(holder(B, "b"), TTL, 2));
  }

  @Test
  void aQueueAtItsLimitRefusesOneMore() {
    Story story =
        new Story(new Limits(10, 1, 10, 10, 10))
            .opened(A, B, C)
            .with(A, acquire("a", 1))
            .with(B, queue("b", 1));

    Outcome more = story.does(C, queue("c", 1));
    Outcome again = story.does(B, queue("b", 2));

    assertThat(more.reply().replies())
        .containsExactly(new Reply.Refused("the lease has its limit of 1 waiters"));
    assertThat(again.reply().replies()).containsExactly(new Reply.Queued());
    assertThat(queueOf(story)).containsExactly(new Waiter(holder(B, "b"), TTL, 2));
  }

  @Test
  void leavingGivesThePlaceUp() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("b", 1), queue("c", 2));

    Outcome outcome = story.does(B, leave(1));

    assertThat(outcome.reply().replies()).containsExactly(new Reply.Left());
    assertThat(outcome.events()).isEmpty();
    assertThat(queueOf(story)).containsExactly(new Waiter(holder(B, "c"), TTL, 2));
  }

  @Test
  void leavingAfterTheGrantGivesItBack() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("b", 1)).with(A, release(1));

    Outcome outcome = story.does(B, leave(1));

    assertThat(outcome.reply().replies()).containsExactly(new Reply.Released(2));
    assertThat(outcome.reply().news()).containsExactly(granted(B, "b", 2, 1));
    assertThat(outcome.reply().heldDigest()).isZero();
    assertThat(story.table().leases()).isEmpty();
  }

  @Test
  void leavingWhatOneIsNotInDoesNothing() {
    Story story = story().with(A, acquire("a", 1)).with(B, queue("b", 1));

    Outcome others = story.does(C, leave(1));
    Outcome another = story.does(B, leave(2));
    Outcome free = story.does(B, new Command.Leave("other", 1));

    for (Outcome outcome : List.of(others, another, free)) {
      assertThat(outcome.reply().replies()).containsExactly(new Reply.NotHeld());
      assertThat(outcome.events()).isEmpty();
    }
    assertThat(queueOf(story)).containsExactly(new Waiter(holder(B, "b"), TTL, 1));
  }

  private static List<Waiter> queueOf(Story story) {
    return story.table().lease(PRINTER).orElseThrow().queue();
  }
}
