package io.leasehold.raft;

import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.store.core.Event;
import io.leasehold.time.Timer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One owner of one lease on this node: what all handles with that name and owner are views of. It
 * holds the lease or not, and there is one attempt to acquire it at a time. Confined to the strand,
 * but for {@link #hold()} and {@link #onLost}.
 */
final class Claimant {

  private static final Logger LOG = LoggerFactory.getLogger(Claimant.class);

  private final LeaseNode node;
  private final String name;
  private final String owner;
  private final LossNotifier losses;
  private final Deque<Runnable> afterAttempt = new ArrayDeque<>();

  private volatile @Nullable Hold hold;
  private @Nullable Attempt attempt;
  private CompletableFuture<Void> lastRelease = CompletableFuture.completedFuture(null);

  Claimant(LeaseNode node, String name, String owner) {
    this.node = node;
    this.name = name;
    this.owner = owner;
    this.losses = new LossNotifier(node.callbacks());
  }

  String name() {
    return name;
  }

  String owner() {
    return owner;
  }

  /**
   * Registers a handler of losses; keeps this claimant for as long as it has any. Safe on any
   * thread.
   */
  Subscription onLost(Consumer<LeaseLost> handler) {
    Subscription registration = losses.register(handler);
    node.claimants().keep(this);
    return () -> {
      registration.close();
      if (losses.isEmpty()) {
        node.claimants().letGo(this);
      }
    };
  }

  /** Returns the current hold, which may have ended. Safe on any thread. */
  @Nullable Hold hold() {
    return hold;
  }

  void acquire(LeaseSettings settings, AcquireCaller caller) {
    Attempt current = attempt;
    if (current == null) {
      Attempt begun = new Attempt(node, this, settings);
      attempt = begun;
      begun.begin(caller);
    } else if (current.admits()) {
      current.join(caller);
    } else {
      afterAttempt.add(() -> acquire(settings, caller));
    }
  }

  /** A caller's future was completed from outside, so it was cancelled. */
  void callerGone() {
    Attempt current = attempt;
    if (current != null) {
      current.callerGone();
    }
  }

  /** An attempt has ended: first what was to be released after it, then the next callers. */
  void attemptEnded(Attempt ended, Runnable releases) {
    if (attempt != ended) {
      return;
    }
    attempt = null;
    releases.run();
    // Each may begin the next attempt; the rest wait for that one in their turn.
    for (int n = afterAttempt.size(); n > 0; n--) {
      afterAttempt.remove().run();
    }
  }

  /**
   * @param ended the hold that the caller's thread has ended already, so that {@code checkAlive} is
   *     false before anything is sent
   */
  void release(@Nullable Hold ended, CompletableFuture<Void> future) {
    Hold current = hold;
    if (current != null && (ended == null || ended == current)) {
      current.end();
      forget(current);
      lastRelease = giveBack(current.token());
    }
    Attempt running = attempt;
    if (running != null) {
      running.releaseAfterwards(
          failure -> {
            if (failure.orElse(null) instanceof LeaseIndeterminateException unknown) {
              node.complete(future, null, unknown);
            } else {
              release(null, future);
            }
          });
    } else {
      CompletableFuture<Void> unused =
          lastRelease.whenComplete((unset, error) -> node.complete(future, null, error));
    }
  }

  /** Gives back a grant that was released before it came. */
  void undo(long token) {
    lastRelease = giveBack(token);
  }

  /** A grant came to be after all its callers had cancelled: nobody believes in it. */
  void releaseUnclaimed(Hold unclaimed) {
    if (hold == unclaimed && unclaimed.end()) {
      forget(unclaimed);
      lastRelease = giveBack(unclaimed.token());
    }
  }

  /** Frees the hold in the store; repeated until the store answers or the session is gone. */
  private CompletableFuture<Void> giveBack(long token) {
    CompletableFuture<Void> released = new CompletableFuture<>();
    Timer.Cancellable timeout =
        node.after(
            node.requestTimeout(),
            () ->
                released.completeExceptionally(
                    new LeaseIndeterminateException(
                        "The release of lease '%s' by '%s' was not confirmed within %s; it is repeated in the background, and the lease ends with its ttl at the latest"
                            .formatted(name, owner, node.requestTimeout()))));
    node.release(
        name,
        token,
        answer -> {
          timeout.cancel();
          if (answer instanceof Answer.Stopped) {
            released.completeExceptionally(
                new LeaseIndeterminateException(
                    "The provider was closed before the release of lease '%s' by '%s' was confirmed; the lease ends with its ttl at the latest"
                        .formatted(name, owner)));
          } else {
            released.complete(null);
          }
        });
    return released;
  }

  /**
   * The store has handed something over to this claimant; it may be told more than once.
   *
   * @return whether somebody here believes in it
   */
  boolean handedOver(Event.Granted granted, long index) {
    Hold current = hold;
    if (current != null && current.token() == granted.token()) {
      return true;
    }
    Attempt running = attempt;
    if (running != null && running.expects(granted.acquisitionId())) {
      running.handedOver(granted.token(), index);
      return true;
    }
    return false;
  }

  void skipped(long acquisitionId) {
    Attempt running = attempt;
    if (running != null && running.expects(acquisitionId)) {
      running.skipped();
    }
  }

  void hold(Hold granted) {
    hold = granted;
    node.holds().add(granted);
    node.pace().add(granted.renewalIntervalNanos());
  }

  void sessionLost() {
    Attempt running = attempt;
    if (running != null) {
      running.sessionLost();
    }
  }

  /** Ends the hold with this token, if it is this claimant's and lives. */
  void lose(long token, LeaseLost.Reason reason, String message) {
    Hold current = hold;
    if (current != null && current.token() == token) {
      lose(current, reason, message);
    }
  }

  void lose(Hold lost, LeaseLost.Reason reason, String message) {
    if (!lost.end()) {
      return;
    }
    forget(lost);
    LeaseLost loss = new LeaseLost(name, owner, lost.token(), reason, message);
    LOG.warn("Lost lease '{}' of '{}': {} ({})", name, owner, reason, message);
    losses.tell(loss);
  }

  /** The provider is being closed: what is under way fails. */
  void providerClosed() {
    Attempt running = attempt;
    if (running != null) {
      running.providerClosed();
    }
  }

  /** Ends a hold that is released together with all others; true if it lived. */
  boolean endForClose(Hold ending) {
    boolean lived = ending.end();
    forget(ending);
    return lived;
  }

  /** The provider has ended without being able to release this hold. */
  void lostByClose(Hold ended) {
    losses.tell(
        new LeaseLost(
            name,
            owner,
            ended.token(),
            LeaseLost.Reason.CLOSED,
            "The provider was closed and the store did not confirm the release; the lease ends with its ttl"));
  }

  private void forget(Hold ended) {
    if (hold == ended) {
      hold = null;
      node.holds().remove(ended);
      node.pace().remove(ended.renewalIntervalNanos());
    }
  }
}
