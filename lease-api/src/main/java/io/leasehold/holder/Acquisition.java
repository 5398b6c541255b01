package io.leasehold.holder;

import io.leasehold.LeaseException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One way to a hold, shared by all calls of acquire made until the next release: confirm what is
 * held, or ask, wait and ask again, each time with a claim of its own. Confined to the node's lock.
 */
final class Acquisition implements Step {

  private enum Phase {
    /** Has not begun, or another holder has it and the next try comes later. */
    IDLE,
    /** A request is on its way. */
    ASKED,
    /** Over. */
    ENDED
  }

  /** Waiters ask again so often within the time to live, whether or not the store gives a hint. */
  private static final int TRIES_PER_TTL = 5;

  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

  /** How long an answer is waited for, if it could be trusted for so long. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

  private static final Duration ENDLESS = Duration.ofDays(36_500);

  private final Node node;
  private final Hold hold;
  private final LeaseSettings settings;
  private final List<Caller> callers = new ArrayList<>();

  private Phase phase = Phase.IDLE;
  private boolean begun;
  private int triesLeft;
  private Timer.Cancellable timer = () -> {};
  private @Nullable Release undoneBy;
  private @Nullable FreedWatch watch;

  /** Whether the lease may have become free since the last request. */
  private boolean freed;

  /** The request that counts; answers to others come too late. */
  private long request;

  /** What was asked with last. */
  private @Nullable Claim claimed;

  Acquisition(Node node, Hold hold, LeaseSettings settings) {
    this.node = node;
    this.hold = hold;
    this.settings = settings;
    this.triesLeft = settings.acquireRetries();
  }

  // --- Callers --------------------------------------------------------------------------------

  /** One call of acquire. */
  private record Caller(CompletableFuture<Boolean> answer, boolean waits, long untilNanos) {}

  /** Adds a call. */
  void join(CompletableFuture<Boolean> answer, Duration maxWait) {
    if (answer.isDone()) {
      return;
    }
    Duration wait = maxWait.compareTo(ENDLESS) > 0 ? ENDLESS : maxWait;
    callers.add(new Caller(answer, !wait.isZero(), node.nanos() + wait.toNanos()));
    askIfIdle();
  }

  /** The caller has completed its stage itself: without callers there is nothing to wait for. */
  void forget(CompletableFuture<Boolean> answer) {
    boolean left = callers.removeIf(caller -> caller.answer == answer);
    if (left && callers.isEmpty()) {
      stopWaiting();
    }
  }

  /** What it gets is to be given back by a release. */
  void undo(Release release) {
    if (undoneBy == null) {
      undoneBy = release;
      stopWaiting();
    }
  }

  private boolean isUnwanted() {
    return undoneBy != null || callers.isEmpty();
  }

  private void stopWaiting() {
    if (begun && phase == Phase.IDLE) {
      refuse();
    }
  }

  @Override
  public boolean isAwaited() {
    return true;
  }

  @Override
  public void begin() {
    begun = true;
    Tenure held = hold.tenure();
    if (callers.isEmpty()) {
      end();
    } else if (held != null) {
      confirm(held);
    } else {
      ask();
    }
  }

  // --- Asking ---------------------------------------------------------------------------------

  private long asked(Runnable unanswered) {
    timer.cancel();
    phase = Phase.ASKED;
    long number = ++request;
    timer =
        node.schedule(
            Duration.ofNanos(Math.min(Trust.nanosOf(settings), ANSWER_MAX.toNanos())),
            () -> {
              if (isAwaited(number)) {
                unanswered.run();
              }
            });
    return number;
  }

  private boolean isAwaited(long number) {
    return phase == Phase.ASKED && request == number;
  }

  private void confirm(Tenure held) {
    long number = asked(() -> fail(indeterminate("the store did not answer in time", null)));
    held.renew(
        confirmed -> {
          if (isAwaited(number)) {
            confirmed(held, confirmed);
          }
        },
        failure -> {
          if (isAwaited(number)) {
            fail(indeterminate("the store did not confirm it", failure));
          }
        });
  }

  private void confirmed(Tenure held, boolean confirmed) {
    if (confirmed && (undoneBy != null || hold.tenure() == held)) {
      succeed(held);
    } else if (undoneBy != null) {
      fail(unavailable("it was released while it was being acquired"));
    } else if (!held.isTrusted()) {
      // It is being given back, and until then it would be refused to itself.
      fail(indeterminate("it was confirmed too late to be trusted, and is given back", null));
    } else {
      ask();
    }
  }

  private void ask() {
    watchIfSomebodyWaits();
    freed = false;
    triesLeft--;
    Claim claim = node.store().claim(settings);
    claimed = claim;
    long sentNanos = node.nanos();
    long number =
        asked(
            () -> {
              giveBack(claim);
              fail(indeterminate("the store did not answer in time", null));
            });
    node.ask(
        claim::ask,
        token -> {
          if (isAwaited(number)) {
            answered(claim, sentNanos, token);
          }
        },
        failure -> {
          if (isAwaited(number)) {
            failed(claim, failure);
          }
        });
  }

  private void giveBack(Claim claim) {
    if (undoneBy != null) {
      undoneBy.giveBack(settings, claim);
    } else {
      hold.giveBack(settings, claim);
    }
  }

  private void failed(Claim claim, Throwable failure) {
    if (failure instanceof LeaseUnavailableException nothing) {
      if (!isUnwanted() && callers.stream().allMatch(this::canWait)) {
        askLater();
      } else {
        fail(nothing);
      }
    } else {
      giveBack(claim);
      fail(indeterminate("the store failed, and it may have been granted", failure));
    }
  }

  private void answered(Claim claim, long sentNanos, OptionalLong token) {
    if (token.isPresent()) {
      granted(claim, new Tenure(node, hold, settings, claim, token.getAsLong(), sentNanos));
    } else {
      refused();
    }
  }

  private void granted(Claim claim, Tenure granted) {
    if (!granted.isTrusted()) {
      giveBack(claim);
      fail(indeterminate("it was granted too late to be trusted, and given back", null));
    } else if (isUnwanted()) {
      giveBack(claim);
      succeed(granted);
    } else {
      hold.granted(granted);
      succeed(granted);
    }
  }

  // --- Waiting --------------------------------------------------------------------------------

  private void refused() {
    phase = Phase.IDLE;
    if (isUnwanted()) {
      refuse();
      return;
    }
    dismiss(callers.stream().filter(this::hasHadItsTries).toList());
    if (callers.isEmpty()) {
      end();
    } else if (freed) {
      ask();
    } else {
      askLater();
    }
  }

  private void askLater() {
    phase = Phase.IDLE;
    timer.cancel();
    long pauseNanos = callers.stream().mapToLong(this::pauseNanos).min().orElseThrow();
    timer = node.schedule(Duration.ofNanos(pauseNanos), this::askIfIdle);
  }

  private boolean canWait(Caller caller) {
    return caller.waits && leftNanos(caller) > 0;
  }

  private boolean hasHadItsTries(Caller caller) {
    return caller.waits ? !canWait(caller) : triesLeft <= 0;
  }

  /** How long a caller lets pass until the next try. */
  private long pauseNanos(Caller caller) {
    if (!caller.waits) {
      return settings.acquireRetryDelay().toNanos();
    }
    long pauseNanos = Math.min(settings.ttl().toNanos() / TRIES_PER_TTL, PAUSE_MAX.toNanos());
    return Math.min(leftNanos(caller), pauseNanos);
  }

  private long leftNanos(Caller caller) {
    return caller.untilNanos - node.nanos();
  }

  private void dismiss(List<Caller> refused) {
    callers.removeAll(refused);
    refused.forEach(caller -> node.later(() -> caller.answer.complete(false)));
  }

  private void watchIfSomebodyWaits() {
    if (watch == null && callers.stream().anyMatch(Caller::waits)) {
      FreedWatch opened =
          new FreedWatch(node.store(), settings.name(), () -> node.run(this::mayBeFree));
      watch = opened;
      node.send(opened::open);
    }
  }

  private void mayBeFree() {
    freed = true;
    askIfIdle();
  }

  private void askIfIdle() {
    if (begun && phase == Phase.IDLE) {
      ask();
    }
  }

  // --- Ending ---------------------------------------------------------------------------------

  /** Tells the callers that the lease is theirs. */
  private void succeed(Tenure granted) {
    granted.willBeTold(callers.size());
    for (Caller caller : callers) {
      node.later(
          () -> {
            boolean heard = caller.answer.complete(true);
            node.run(() -> hold.told(granted, heard));
          });
    }
    callers.clear();
    end();
  }

  private void refuse() {
    dismiss(List.copyOf(callers));
    end();
  }

  private void fail(LeaseException why) {
    callers.forEach(caller -> node.later(() -> caller.answer.completeExceptionally(why)));
    callers.clear();
    end();
  }

  private void end() {
    phase = Phase.ENDED;
    timer.cancel();
    if (watch != null) {
      node.send(watch::close);
    }
    hold.ended(this);
  }

  @Override
  public void close() {
    LeaseException why = unavailable("the provider was closed meanwhile");
    if (!begun) {
      callers.forEach(caller -> node.later(() -> caller.answer.completeExceptionally(why)));
      callers.clear();
    } else if (phase != Phase.ENDED) {
      if (phase == Phase.ASKED && claimed != null) {
        giveBack(claimed);
      }
      fail(why);
    }
  }

  private LeaseException indeterminate(String why, @Nullable Throwable cause) {
    return new LeaseIndeterminateException("lease " + settings.name() + ": " + why, cause);
  }

  private LeaseException unavailable(String why) {
    return new LeaseUnavailableException("lease " + settings.name() + ": " + why);
  }
}
