package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.core.Command;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In which order commands go. */
final class OutboxTest {

  private final Outbox outbox = new Outbox();

  private static Call acquire(long id) {
    return call(new Command.Acquire("printer", "a", 1_000_000_000L, id, false, false));
  }

  private static Call call(Command command) {
    return new Call(command, answer -> {});
  }

  private void add(Call... calls) {
    List.of(calls).forEach(outbox::add);
  }

  @Test
  void whatGivesBackOrAsksGoesBeforeWhatWantsMore() {
    Call first = acquire(1);
    Call second = acquire(2);
    Call release = call(new Command.Release("printer", 7));
    Call leave = call(new Command.Leave("printer", 3));
    add(first, release, second, leave);

    assertThat(outbox.next(3)).containsExactly(release, leave, first);
    assertThat(outbox.next(3)).containsExactly(second);
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void theEndOfTheSessionComesAfterAllElse() {
    Call acquire = acquire(1);
    Call end = call(new Command.CloseSession());
    Call release = call(new Command.Release("printer", 7));
    add(acquire, end, release);

    assertThat(outbox.next(3)).containsExactly(release, acquire, end);
  }

  @Test
  void whatHasBeenSentOnceKeepsItsPlaceBeforeWhatUndoesIt() {
    Call acquire = acquire(1);
    add(acquire);
    List<Call> sent = outbox.next(1);
    Call leave = call(new Command.Leave("printer", 1));
    add(leave);

    outbox.putBack(sent);

    assertThat(outbox.next(3)).containsExactly(acquire, leave);
  }

  @Test
  void whatHasBeenWithdrawnDoesNotGo() {
    Call withdrawn = acquire(1);
    Call kept = acquire(2);
    add(withdrawn, kept);

    assertThat(withdrawn.withdraw()).isTrue();

    assertThat(outbox.next(1)).containsExactly(kept);
  }

  @Test
  void allGoAtTheEndAlsoWhatComesMeanwhile() {
    Call late = acquire(3);
    Call withdrawn = acquire(1);
    add(withdrawn, acquire(2));
    withdrawn.withdraw();
    List<Call> drained = new ArrayList<>();

    outbox.drain(
        call -> {
          drained.add(call);
          if (drained.size() == 1) {
            outbox.add(late);
          }
        });

    assertThat(drained).hasSize(2).endsWith(late);
    assertThat(outbox.isEmpty()).isTrue();
  }
}
