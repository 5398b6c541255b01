package io.leasehold.store.core;

import static io.leasehold.store.core.Cast.A;
import static io.leasehold.store.core.Cast.B;
import static io.leasehold.store.core.Cast.TTL;
import static io.leasehold.store.core.Cast.acquire;
import static io.leasehold.store.core.Cast.expire;
import static io.leasehold.store.core.Cast.expired;
import static io.leasehold.store.core.Cast.granted;
import static io.leasehold.store.core.Cast.holder;
import static io.leasehold.store.core.Cast.release;
import static io.leasehold.store.core.Cast.released;
import static io.leasehold.store.core.Cast.revoke;
import static io.leasehold.store.core.Cast.revoked;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NewsRulesTest {

  private static final Limits TWO_NEWS = new Limits(10, 10, 10, 10, 2);

  @Test
  void whatASessionDoesItselfIsNoNews() {
    Story story = new Story().opened(A);

    Outcome acquired = story.does(A, acquire("a", 1));
    Outcome released = story.does(A, release(1));

    assertThat(acquired.reply().news()).isEmpty();
    assertThat(released.reply().news()).isEmpty();
  }

  @Test
  void newsComesOnceInTheOrderInWhichItHappened() {
    Story story = new Story().opened(A, B).with(A, acquire("a", 1)).with(B, revoke(1)).at(10_000);
    story.withStores(expire(A, 1));

    Outcome first = story.does(A);
    Outcome second = story.does(A);

    assertThat(first.reply().news()).containsExactly(revoked(A, "a", 1, false), expired(A, "a", 1));
    assertThat(first.reply().newsLost()).isFalse();
    assertThat(second.reply().news()).isEmpty();
  }

  @Test
  void newsComesBeforeWhatTheBatchItselfEnds() {
    Story story = new Story().opened(A, B).with(A, acquire("a", 1)).with(B, revoke(1));

    Outcome outcome = story.does(A, acquire("a", 2));

    assertThat(outcome.reply().news())
        .containsExactly(revoked(A, "a", 1, false), released(A, "a", 1));
    assertThat(outcome.events()).containsExactly(released(A, "a", 1), granted(A, "a", 2, 2));
  }

  @Test
  void asMuchNewsAsIsKeptIsToldInFull() {
    Story story = new Story(TWO_NEWS).opened(A, B).with(A, leases(2));

    story.with(B, revocations(2));
    Outcome outcome = story.does(A);

    assertThat(outcome.reply().news()).hasSize(2);
    assertThat(outcome.reply().newsLost()).isFalse();
  }

  @Test
  void moreNewsThanIsKeptIsLostAndSaidToBe() {
    Story story = new Story(TWO_NEWS).opened(A, B).with(A, leases(5));

    story.with(B, revocations(4));
    Outcome outcome = story.does(A, new Command.Reconcile());

    assertThat(outcome.reply().newsLost()).isTrue();
    assertThat(outcome.reply().news()).isEmpty();
    assertThat(outcome.reply().replies())
        .containsExactly(new Reply.Held(List.of(new Reply.Hold("lease-5", "a", 5, 5)), List.of()));
  }

  @Test
  void newsAfterALossIsToldAgain() {
    Story story = new Story(TWO_NEWS).opened(A, B).with(A, leases(5)).with(B, revocations(4));
    story.with(A);

    story.with(B, new Command.Revoke("lease-5", 5, "why", false));
    Outcome outcome = story.does(A);

    assertThat(outcome.reply().newsLost()).isFalse();
    assertThat(outcome.reply().news())
        .containsExactly(new Event.Revoked("lease-5", holder(A, "a"), 5, "why", false));
  }

  @Test
  void aRepeatedBatchTellsItsNewsAgain() {
    Story story = new Story().opened(A, B).with(A, acquire("a", 1)).with(B, revoke(1)).with(A);

    Outcome again = story.repeats(A);

    assertThat(again.reply().news()).containsExactly(revoked(A, "a", 1, false));
  }

  private static Command[] leases(int count) {
    List<Command> commands = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      commands.add(new Command.Acquire("lease-" + i, "a", TTL, i, false, false));
    }
    return commands.toArray(Command[]::new);
  }

  private static Command[] revocations(int count) {
    List<Command> commands = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      commands.add(new Command.Revoke("lease-" + i, i, "why", false));
    }
    return commands.toArray(Command[]::new);
  }
}
