package io.leasehold.holder;

import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.time.Timer;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A grant as its node believes in it, and its renewals. It is trusted until the local deadline;
 * once somebody has seen it past that it is never trusted again. Methods that say so are safe for
 * many threads; the others are confined to the node's lock.
 */
final class Tenure {

  /** A renewal that is not answered is repeated so often within the time to live. */
  private static final int TRIES_PER_TTL = 10;

  private final Node node;
  private final Hold hold;
  private final LeaseSettings settings;
  private final Claim claim;
  private final long token;
  private final long trustNanos;
  private final long retryNanos;

  private volatile long deadlineNanos;
  private volatile boolean distrusted;

  private boolean ended;

  /** How many have yet to be told that it is theirs. */
  private int untold;

  /** Whether one of them has heard it. */
  private boolean heard;

  /** When the next renewal is due, if no answer changes that. */
  private long dueNanos;

  private Timer.Cancellable timer = () -> {};

  /**
   * @param sentNanos when the request that was granted was handed over
   */
  Tenure(Node node, Hold hold, LeaseSettings settings, Claim claim, long token, long sentNanos) {
    this.node = node;
    this.hold = hold;
    this.settings = settings;
    this.claim = claim;
    this.token = token;
    this.trustNanos = Trust.nanosOf(settings);
    this.retryNanos = settings.ttl().toNanos() / TRIES_PER_TTL;
    this.deadlineNanos = sentNanos + trustNanos;
    this.dueNanos = sentNanos + settings.renewalInterval().toNanos();
  }

  LeaseSettings settings() {
    return settings;
  }

  Claim claim() {
    return claim;
  }

  /** Safe for many threads. */
  long token() {
    return token;
  }

  /**
   * Whether it can be trusted now. The answer never turns from false to true, also when an
   * acknowledgement moves the deadline at the same moment. Safe for many threads.
   */
  boolean isTrusted() {
    if (distrusted) {
      return false;
    }
    if (node.nanos() - deadlineNanos >= 0) {
      distrusted = true;
      return false;
    }
    return true;
  }

  /** Safe for many threads. */
  long remainingNanos() {
    return deadlineNanos - node.nanos();
  }

  /** Callers will be told that it is theirs, unless they have left by then. */
  void willBeTold(int callers) {
    untold += callers;
  }

  /** One of them was told. */
  void told(boolean hasHeard) {
    untold--;
    heard |= hasHeard;
  }

  /** Whether all who asked for it had left. */
  boolean isUnwanted() {
    return untold == 0 && !heard;
  }

  /** Begins to renew it and to notice its deadline. */
  void begin() {
    setTimer();
  }

  /** Ends the renewals. */
  void end() {
    ended = true;
    timer.cancel();
  }

  private void setTimer() {
    if (ended) {
      return;
    }
    timer.cancel();
    long nextNanos = dueNanos - deadlineNanos < 0 ? dueNanos : deadlineNanos;
    timer = node.scheduleAt(nextNanos, this::timerRings);
  }

  private void timerRings() {
    if (ended) {
      return;
    }
    noticeDeadline();
    if (!ended && node.nanos() - dueNanos >= 0) {
      renew(held -> {}, failure -> Node.logged("a renewal failed", failure));
    }
    setTimer();
  }

  /** Ends the hold if it is past its deadline. */
  void noticeDeadline() {
    if (!ended && !isTrusted()) {
      hold.lose(
          this,
          LeaseLost.Reason.UNREACHABLE,
          "no renewal was acknowledged before the local deadline");
    }
  }

  /**
   * Renews it now.
   *
   * @param answered hears whether the store has it and it is trusted, also after its release
   * @param failed hears why that is not known
   */
  void renew(Consumer<Boolean> answered, Consumer<Throwable> failed) {
    long sentNanos = node.nanos();
    dueNanos = sentNanos + retryNanos;
    node.ask(
        claim::renew,
        reason -> {
          renewed(sentNanos, reason);
          answered.accept(reason.isEmpty() && isTrusted());
        },
        failed);
  }

  private void renewed(long sentNanos, Optional<LeaseLost.Reason> lost) {
    noticeDeadline();
    if (ended) {
      return;
    }
    if (lost.isPresent()) {
      hold.lose(this, lost.get(), "the store says that it is not held any more");
      return;
    }
    if (sentNanos + trustNanos - deadlineNanos > 0) {
      deadlineNanos = sentNanos + trustNanos;
      dueNanos = sentNanos + settings.renewalInterval().toNanos();
    }
    setTimer();
  }
}
