package io.leasehold.raft;

import io.leasehold.LeaseException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.store.core.Command;
import io.leasehold.time.DurationText;
import io.leasehold.time.Timer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One question to the store on behalf of an operator or an observer: asked again when the session
 * ends before the answer, and given up after the request timeout. Confined to the strand.
 */
final class Question {

  private final LeaseNode node;
  private final Command command;
  private final String what;
  private final boolean hasEffect;
  private final CompletableFuture<Answer.Applied> result = new CompletableFuture<>();
  private @Nullable Call call;
  private Timer.@Nullable Cancellable timeout;

  /**
   * @param what for the message when there is no answer
   * @param hasEffect whether an unanswered question may have changed something
   */
  Question(LeaseNode node, Command command, String what, boolean hasEffect) {
    this.node = node;
    this.command = command;
    this.what = what;
    this.hasEffect = hasEffect;
  }

  /** Completes on the strand; fails with a {@link LeaseException}. Safe on any thread. */
  CompletableFuture<Answer.Applied> result() {
    return result;
  }

  void ask() {
    timeout = node.after(node.requestTimeout(), this::outOfTime);
    send();
  }

  private void send() {
    if (node.isOverloaded()) {
      fail(
          "This node has too many commands waiting for the store; %s was not sent".formatted(what),
          false);
    } else {
      call = node.send(command, this::answered);
    }
  }

  private void answered(Answer answer) {
    if (result.isDone()) {
      return;
    }
    if (answer instanceof Answer.Applied applied) {
      cancelTimeout();
      result.complete(applied);
    } else if (answer instanceof Answer.Stopped stopped) {
      unanswered(stopped.why(), stopped.mayHaveBeenApplied());
    } else if (node.isClosing()) {
      unanswered(LeaseNode.CLOSED, false); // no other session is opened
    } else {
      send();
    }
  }

  private void unanswered(String why, boolean mayHaveBeenApplied) {
    fail("There is no answer to %s: %s".formatted(what, why), mayHaveBeenApplied);
  }

  private void outOfTime() {
    boolean withdrawn = call != null && call.withdraw();
    fail(
        "No answer to %s within %s: %s"
            .formatted(
                what,
                DurationText.of(node.requestTimeout()),
                node.waitsFor()
                    .orElse("check that a majority of the members runs and can be reached")),
        !withdrawn);
  }

  private void fail(String message, boolean mayHaveBeenApplied) {
    cancelTimeout();
    result.completeExceptionally(
        mayHaveBeenApplied && hasEffect
            ? new LeaseIndeterminateException(message)
            : new LeaseUnavailableException(message));
  }

  private void cancelTimeout() {
    if (timeout != null) {
      timeout.cancel();
    }
  }
}
