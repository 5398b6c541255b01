package io.leasehold.raft;

import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import io.leasehold.time.DurationText;
import io.leasehold.time.Timer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
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
      if (!losses.isEmpty()) {
        node.claimants().keep(this); // another handler came between
      }
    };
  }

  /** Returns the current hold, which may have ended. Safe on any thread. */
  @Nullable Hold hold() {
    return hold;
  }

  void acquire(LeaseSettings settings, AcquireCaller caller) {
    if (caller.isGone()) {
      return; // cancelled while it waited for an earlier attempt to end
    }
    if (node.isClosing()) {
      caller
          .future()
          .fail(
              new LeaseUnavailableException(
                  "The provider is closed; lease '%s' was not asked for".formatted(name)));
      return;
    }
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
    // In their order: an acquire begins the next attempt, and what follows may wait for that one.
    List<Runnable> waiting = List.copyOf(afterAttempt);
    afterAttempt.clear();
    waiting.forEach(Runnable::run);
  }

  /**
   * @param ended the hold that the caller's thread has ended already, so that {@code checkAlive} is
   *     false before anything is sent
   */
  void release(@Nullable Hold ended, Completion<Void> future) {
    Hold current = hold;
    if (current != null && (ended == null || ended == current)) {
      if (ended == null && !node.isAlive(current)) {
        node.losePastDeadline(current); // before it was released, unless somebody else did that
      }
      current.end();
      forget(current);
      lastRelease = giveBack(current.token());
    }
    Attempt running = attempt;
    if (!afterAttempt.isEmpty()) {
      afterAttempt.add(() -> release(null, future)); // it undoes the acquires that wait there, too
    } else if (running != null) {
      running.releaseAfterwards(
          failure -> {
            if (failure.orElse(null) instanceof LeaseIndeterminateException unknown) {
              future.fail(unknown);
            } else {
              awaitRelease(future);
            }
          });
    } else {
      awaitRelease(future);
    }
  }

  /** Completes once the store has confirmed the last release; at once if it has. */
  private void awaitRelease(Completion<Void> future) {
    CompletableFuture<Void> pending = lastRelease;
    Timer.Cancellable timeout =
        pending.isDone()
            ? () -> {}
            : node.after(
                node.requestTimeout(),
                () ->
                    future.fail(
                        new LeaseIndeterminateException(
                            "The release of lease '%s' by '%s' was not confirmed within %s; it is repeated in the background, and the lease ends with its ttl at the latest"
                                .formatted(name, owner, DurationText.of(node.requestTimeout())))));
    CompletableFuture<Void> unused =
        pending.whenComplete(
            (released, failure) -> {
              timeout.cancel();
              if (failure == null) {
                future.answer(null);
              } else {
                future.fail(failure);
              }
            });
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
    node.release(
        name,
        token,
        answer -> {
          if (answer instanceof Answer.Stopped stopped) {
            released.completeExceptionally(
                new LeaseIndeterminateException(
                    "The release of lease '%s' by '%s' was not confirmed, and the lease ends with its ttl at the latest: %s"
                        .formatted(name, owner, stopped.why())));
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
  boolean handedOver(long token, long acquisitionId, long index) {
    Hold current = hold;
    if (current != null && current.token() == token) {
      return true;
    }
    Attempt running = attempt;
    if (running != null && running.expects(acquisitionId)) {
      running.handedOver(token, index);
      return true;
    }
    return false;
  }

  /** At this index the store had places in queues for exactly these acquisition ids. */
  void queuedOnlyIf(Set<Long> waiting, long index) {
    Attempt running = attempt;
    if (running != null) {
      running.queuedOnlyIf(waiting, index);
    }
  }

  void skipped(long acquisitionId) {
    Attempt running = attempt;
    if (running != null && running.expects(acquisitionId)) {
      running.skipped();
    }
  }

  void hold(Hold granted) {
    Hold former = hold;
    if (former != null) {
      forget(former); // ended by a release that has not got to the strand yet
    }
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

  /**
   * Ends the hold with this token, if it is this claimant's and lives. Where the news comes before
   * the grant, the attempt has to know.
   */
  void lose(long token, LeaseLost.Reason reason, String message) {
    Hold current = hold;
    Attempt running = attempt;
    if (current != null && current.token() == token) {
      lose(current, reason, message);
    } else if (running != null) {
      running.ended(token);
    }
  }

  void lose(Hold lost, LeaseLost.Reason reason, String message) {
    if (!lost.end()) {
      return;
    }
    forget(lost);
    LeaseLost loss = new LeaseLost(name, owner, lost.token(), reason, message);
    LOG.warn("Lost lease '{}' of '{}': {} ({})", name, owner, reason, message);
    node.meters().lost(name, reason);
    losses.tell(loss);
  }

  /** The store cannot be asked any more, and its answers do not come. */
  void storeStopped(String why) {
    Attempt running = attempt;
    if (running != null) {
      running.storeStopped(why);
    }
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
    node.meters().lost(name, LeaseLost.Reason.CLOSED);
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
