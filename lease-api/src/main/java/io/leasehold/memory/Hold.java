package io.leasehold.memory;

import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import io.leasehold.holder.Registration;
import io.leasehold.holder.SharedHold;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one owner has of one lease on one node; all handles for them share it. Methods that say so
 * are safe for many threads; the others are confined to the shared store's lock.
 */
final class Hold implements SharedHold {

  private final Node node;
  private final String name;
  private final String owner;
  private final List<Registration> handlers = new ArrayList<>();

  private volatile @Nullable Grant grant;
  private @Nullable Attempt attempt;
  private @Nullable Release release;

  Hold(Node node, String name, String owner) {
    this.node = node;
    this.name = name;
    this.owner = owner;
  }

  // --- Any thread -----------------------------------------------------------------------------

  @Override
  public boolean isAlive() {
    return aliveGrant() != null;
  }

  /** Returns the grant if it can be trusted now; safe for many threads. */
  @Nullable Grant aliveGrant() {
    Grant seen = grant;
    if (seen == null || !seen.isTrusted(node.renewal())) {
      return null;
    }
    // A loss clears the grant before an acknowledgement moves the deadline: whoever has read the
    // later deadline sees here that it is not for the grant it has read.
    return grant == seen ? seen : null;
  }

  @Override
  public Duration remaining() {
    Grant alive = aliveGrant();
    if (alive == null) {
      return Duration.ZERO;
    }
    long nanos = node.renewal().deadlineNanos(alive.trustNanos()) - node.nanos();
    return Duration.ofNanos(Math.max(0, nanos));
  }

  @Override
  public OptionalLong token() {
    Grant alive = aliveGrant();
    return alive == null ? OptionalLong.empty() : OptionalLong.of(alive.token());
  }

  @Override
  public CompletableFuture<Boolean> acquire(LeaseSettings settings, Duration maxWait) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    CompletableFuture<Boolean> unusedDependent =
        answer.whenComplete((held, failure) -> node.store().run(() -> forget(answer)));
    node.store().run(() -> acquire(settings, maxWait, answer));
    return answer;
  }

  @Override
  public CompletableFuture<Void> release() {
    CompletableFuture<Void> released = new CompletableFuture<>();
    node.store().run(() -> release(released));
    return released;
  }

  @Override
  public Subscription onLost(Consumer<LeaseLost> handler) {
    Registration registration =
        new Registration(handler, node::later, closed -> node.store().run(() -> forget(closed)));
    node.store()
        .run(
            () -> {
              handlers.add(registration);
              updateUse();
            });
    return registration;
  }

  // --- Acquiring ------------------------------------------------------------------------------

  private void acquire(
      LeaseSettings settings, Duration maxWait, CompletableFuture<Boolean> answer) {
    if (answer.isDone()) {
      return;
    }
    Optional<LeaseUnavailableException> refusal = node.refusal();
    if (refusal.isPresent()) {
      node.later(() -> answer.completeExceptionally(refusal.get()));
      return;
    }
    noticeDeadline();
    if (attempt != null && attempt.isBeingUndone()) {
      attempt.follow(() -> acquire(settings, maxWait, answer));
      return;
    }
    if (attempt != null) {
      attempt.join(answer, maxWait);
      return;
    }
    Attempt started = new Attempt(node, this, settings);
    attempt = started;
    updateUse();
    started.join(answer, maxWait);
    started.begin(Optional.ofNullable(grant));
  }

  private void forget(Registration registration) {
    handlers.remove(registration);
    updateUse();
  }

  /** The caller has completed its stage itself, by cancelling it or with a timeout. */
  private void forget(CompletableFuture<Boolean> answer) {
    if (attempt != null) {
      attempt.forget(answer);
    }
  }

  /** An attempt is over, one way or the other. */
  void attemptEnded(Attempt ended) {
    if (attempt == ended) {
      attempt = null;
      updateUse();
    }
  }

  /**
   * Takes a grant in, unless it comes too late to be trusted: then it is given back.
   *
   * @return the grant, or null when it is none
   */
  @Nullable Grant granted(long token, LeaseSettings settings) {
    Grant granted = new Grant(token, settings);
    if (!granted.isTrusted(node.renewal())) {
      node.giveBack(name, token);
      return null;
    }
    grant = granted;
    updateUse();
    node.renewal().include(settings);
    return granted;
  }

  boolean has(Grant held) {
    return grant == held;
  }

  /** Nobody was told of a grant, because everybody who asked had left. */
  void giveUp(Grant unwanted) {
    if (grant == unwanted && !unwanted.isConfirmed()) {
      grant = null;
      updateUse();
      node.giveBack(name, unwanted.token());
    }
  }

  // --- Releasing ------------------------------------------------------------------------------

  private void release(CompletableFuture<Void> released) {
    noticeDeadline();
    if (attempt != null && attempt.hasFollowers()) {
      attempt.follow(() -> release(released));
      return;
    }
    Grant held = grant;
    if (held != null) {
      release(held, List.of(released));
      if (attempt != null) {
        attempt.releasedMeanwhile();
      }
    } else if (attempt != null) {
      attempt.undo(released);
    } else if (release != null) {
      release.waiting.add(released);
    } else {
      node.later(() -> released.complete(null));
    }
  }

  /** Gives up a grant: locally first, then in the store. */
  void release(Grant given, List<CompletableFuture<Void>> released) {
    grant = null;
    send(given, released);
    updateUse();
  }

  /** Frees a grant in the store; what cannot be sent now is sent until it is answered. */
  private void send(Grant given, List<CompletableFuture<Void>> released) {
    Release sent = new Release(released);
    release = sent;
    Timer.Cancellable unusedWithdrawal =
        node.send(
            () -> {
              node.store().rules().release(name, node.session(), given.token());
              return true;
            },
            done -> sent.end(Optional.empty()),
            null,
            () -> sent.end(Optional.of("the provider was closed meanwhile")));
    if (release == sent) {
      sent.limit =
          node.schedule(
              given.settings().ttl(),
              () -> sent.end(Optional.of("the store did not answer for the time to live")));
    }
  }

  /** A release on its way, and who waits for it. */
  private final class Release {

    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private Timer.@Nullable Cancellable limit;

    Release(List<CompletableFuture<Void>> first) {
      waiting.addAll(first);
    }

    void end(Optional<String> fault) {
      if (limit != null) {
        limit.cancel();
      }
      if (release == this) {
        release = null;
        updateUse();
      }
      for (CompletableFuture<Void> released : List.copyOf(waiting)) {
        node.later(
            () -> {
              if (fault.isPresent()) {
                released.completeExceptionally(
                    new LeaseIndeterminateException("lease " + name + ": " + fault.get()));
              } else {
                released.complete(null);
              }
            });
      }
      waiting.clear();
    }
  }

  // --- Losing ---------------------------------------------------------------------------------

  void hear(StoreEvent event) {
    switch (event.kind()) {
      case GRANTED -> hearGranted(event);
      case SKIPPED -> {
        if (attempt != null) {
          attempt.hearSkipped(event.claim().acquisitionId());
        }
      }
      case EXPIRED -> lose(event.token(), LeaseLost.Reason.EXPIRED, event.message());
      case TAKEN_OVER -> lose(event.token(), LeaseLost.Reason.TAKEN_OVER, event.message());
      case REVOKED -> {
        lose(event.token(), LeaseLost.Reason.REVOKED, event.message());
        // Says that nobody here believes in it any more, so that it need not run out.
        node.giveBack(name, event.token());
      }
      case RELEASED -> {
        // By this node's own doing.
      }
    }
  }

  private void hearGranted(StoreEvent event) {
    Grant held = grant;
    if (held != null && held.token() == event.token()) {
      return;
    }
    if (attempt == null || !attempt.hearGranted(event.claim().acquisitionId(), event.token())) {
      node.giveBack(name, event.token());
    }
  }

  /** Ends the hold, or the wait, if it is past its local deadline. */
  void noticeDeadline() {
    Grant held = grant;
    if (held != null && !held.isTrusted(node.renewal())) {
      lose(
          held.token(),
          LeaseLost.Reason.UNREACHABLE,
          "no renewal was acknowledged before the local deadline");
      node.giveBack(name, held.token());
    }
    if (attempt != null) {
      attempt.noticeDeadline();
    }
  }

  private void lose(long token, LeaseLost.Reason reason, String message) {
    Grant held = grant;
    if (held == null || held.token() != token) {
      return;
    }
    grant = null;
    LeaseLost lost = new LeaseLost(name, owner, token, reason, message);
    List.copyOf(handlers).forEach(handler -> handler.tell(lost));
    updateUse();
  }

  // --- The node -------------------------------------------------------------------------------

  /** Returns the settings by which the node has to renew on this hold's behalf. */
  Optional<LeaseSettings> settingsInForce() {
    Grant held = grant;
    if (held != null) {
      return Optional.of(held.settings());
    }
    return attempt == null ? Optional.empty() : attempt.settingsInForce();
  }

  void close(boolean reachable) {
    if (attempt != null) {
      attempt.close();
    }
    Grant held = grant;
    if (held == null) {
      return;
    }
    if (reachable) {
      grant = null;
    } else {
      lose(
          held.token(),
          LeaseLost.Reason.CLOSED,
          "the provider was closed and could not reach the store to release it");
    }
  }

  /** The process is gone. */
  void vanish() {
    grant = null;
    attempt = null;
    handlers.clear();
  }

  private void updateUse() {
    node.holds()
        .setInUse(this, grant != null || attempt != null || release != null || !handlers.isEmpty());
  }
}
