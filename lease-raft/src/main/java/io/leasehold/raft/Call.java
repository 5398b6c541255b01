package io.leasehold.raft;

import io.leasehold.store.core.Command;
import java.util.function.Consumer;

/** One command on its way to the store and back. Confined to the strand. */
final class Call {

  private final Command command;
  private final Consumer<Answer> onAnswer;
  private State state = State.WAITING;

  Call(Command command, Consumer<Answer> onAnswer) {
    this.command = command;
    this.onAnswer = onAnswer;
  }

  Command command() {
    return command;
  }

  /** Whether no copy of it can have reached the log. */
  boolean isCertainlyNotApplied() {
    return state == State.WAITING || state == State.WITHDRAWN;
  }

  boolean isWithdrawn() {
    return state == State.WITHDRAWN;
  }

  /**
   * Takes it back if it certainly has not reached the log; true when that succeeded, and then no
   * answer comes.
   */
  boolean withdraw() {
    if (state == State.WAITING) {
      state = State.WITHDRAWN;
      return true;
    }
    return false;
  }

  void handedOver() {
    state = State.HANDED_OVER;
  }

  /** Every copy handed over was rejected before the log. */
  void rejected() {
    state = State.WAITING;
  }

  void answer(Answer answer) {
    state = State.ANSWERED;
    onAnswer.accept(answer);
  }

  private enum State {
    WAITING,
    HANDED_OVER,
    ANSWERED,
    WITHDRAWN
  }
}
