package io.leasehold.memory;

import io.leasehold.LeaseSettings;
import io.leasehold.holder.Trust;
import io.leasehold.time.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A node's one timer: renews its session at the smallest interval of what it holds or waits for,
 * and notices local deadlines when the renewal is not answered. Confined to the shared store's
 * lock, except what says otherwise.
 */
final class Renewal {

  /** Long enough never to come, and short enough to be added to. */
  private static final long NEVER_NANOS = Long.MAX_VALUE / 2;

  private final Node node;

  /** When the last acknowledged request was handed over first. */
  private volatile long acknowledgedNanos;

  /** At most the shortest trust of what is held or waited for. */
  private long shortestTrustNanos = NEVER_NANOS;

  private long shortestIntervalNanos = NEVER_NANOS;
  private boolean underWay;
  private Timer.@Nullable Cancellable timer;
  private long timerNanos;

  Renewal(Node node, long nowNanos) {
    this.node = node;
    this.acknowledgedNanos = nowNanos;
  }

  /** Whether something that is trusted for so long is past its deadline. Safe for many threads. */
  boolean isPastDeadline(long trustNanos) {
    return node.nanos() - deadlineNanos(trustNanos) >= 0;
  }

  /** Safe for many threads. */
  long deadlineNanos(long trustNanos) {
    return acknowledgedNanos + trustNanos;
  }

  /** A request has been answered. Every answered request renews the session. */
  void acknowledge(long sentNanos) {
    if (sentNanos - acknowledgedNanos > 0) {
      acknowledgedNanos = sentNanos;
    }
  }

  /** Makes sure that a hold or wait with these settings is renewed and its deadline noticed. */
  void include(LeaseSettings settings) {
    count(settings);
    setTimer();
  }

  /** Ends the holds and waits whose local deadline has passed. */
  void noticeDeadlines() {
    if (isPastDeadline(shortestTrustNanos)) {
      node.holds().inUse().forEach(Hold::noticeDeadline);
    }
  }

  private void count(LeaseSettings settings) {
    shortestTrustNanos = Math.min(shortestTrustNanos, Trust.nanosOf(settings));
    shortestIntervalNanos = Math.min(shortestIntervalNanos, settings.renewalInterval().toNanos());
  }

  private void setTimer() {
    if (shortestTrustNanos == NEVER_NANOS) {
      return;
    }
    long waitNanos =
        underWay ? shortestTrustNanos : Math.min(shortestIntervalNanos, shortestTrustNanos);
    long nextNanos = deadlineNanos(waitNanos);
    if (timer != null && timerNanos - nextNanos <= 0) {
      return;
    }
    if (timer != null) {
      timer.cancel();
    }
    timerNanos = nextNanos;
    timer = node.schedule(Duration.ofNanos(nextNanos - node.nanos()), this::timerRings);
  }

  private void timerRings() {
    timer = null;
    // Each one, for a check may have distrusted a grant at the very moment of an acknowledgement.
    node.holds().inUse().forEach(Hold::noticeDeadline);
    shortestTrustNanos = NEVER_NANOS;
    shortestIntervalNanos = NEVER_NANOS;
    for (Hold hold : node.holds().inUse()) {
      hold.settingsInForce().ifPresent(this::count);
    }
    if (!underWay && isPastDeadline(shortestIntervalNanos)) {
      renew();
    }
    setTimer();
  }

  private void renew() {
    underWay = true;
    node.sendAlways(
        () -> {},
        () -> {
          underWay = false;
          setTimer();
        });
  }
}
