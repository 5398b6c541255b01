package io.leasehold.holder;

import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A hold on a store that answers later: the grant, and the acquires and releases in order. */
final class Hold implements SharedHold {

  private final Node node;
  private final String name;
  private final String owner;
  private final List<Registration> handlers = new ArrayList<>();

  /** The first one is under way. */
  private final Deque<Step> steps = new ArrayDeque<>();

  private volatile @Nullable Tenure tenure;

  Hold(Node node, String name, String owner) {
    this.node = node;
    this.name = name;
    this.owner = owner;
  }

  // --- Any thread -----------------------------------------------------------------------------

  @Override
  public boolean isAlive() {
    Tenure seen = tenure;
    return seen != null && seen.isTrusted();
  }

  @Override
  public Duration remaining() {
    Tenure seen = tenure;
    return seen != null && seen.isTrusted()
        ? Duration.ofNanos(Math.max(0, seen.remainingNanos()))
        : Duration.ZERO;
  }

  @Override
  public OptionalLong token() {
    Tenure seen = tenure;
    return seen != null && seen.isTrusted() ? OptionalLong.of(seen.token()) : OptionalLong.empty();
  }

  @Override
  public CompletableFuture<Boolean> acquire(LeaseSettings settings, Duration maxWait) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    CompletableFuture<Boolean> unusedDependent =
        answer.whenComplete((held, failure) -> node.run(() -> forget(answer)));
    node.run(() -> acquire(settings, maxWait, answer));
    return answer;
  }

  @Override
  public CompletableFuture<Void> release() {
    CompletableFuture<Void> released = new CompletableFuture<>();
    node.run(() -> release(released));
    return released;
  }

  @Override
  public Subscription onLost(Consumer<LeaseLost> handler) {
    Registration registration =
        new Registration(handler, node::later, closed -> node.run(() -> forget(closed)));
    node.run(
        () -> {
          handlers.add(registration);
          updateUse();
        });
    return registration;
  }

  // --- Acquiring ------------------------------------------------------------------------------

  private void acquire(
      LeaseSettings settings, Duration maxWait, CompletableFuture<Boolean> answer) {
    Optional<LeaseUnavailableException> refusal = node.refusal();
    if (refusal.isPresent()) {
      node.later(() -> answer.completeExceptionally(refusal.get()));
      return;
    }
    noticeDeadline();
    if (steps.peekLast() instanceof Acquisition underWay) {
      underWay.join(answer, maxWait);
    } else {
      Acquisition started = new Acquisition(node, this, settings);
      started.join(answer, maxWait);
      add(started);
    }
  }

  /** The caller has completed its stage itself, by cancelling it or with a timeout. */
  private void forget(CompletableFuture<Boolean> answer) {
    acquisitions().forEach(acquisition -> acquisition.forget(answer));
  }

  private void forget(Registration registration) {
    handlers.remove(registration);
    updateUse();
  }

  private List<Acquisition> acquisitions() {
    return steps.stream()
        .filter(Acquisition.class::isInstance)
        .map(Acquisition.class::cast)
        .toList();
  }

  @Nullable Tenure tenure() {
    return tenure;
  }

  /** Takes a grant in. */
  void granted(Tenure granted) {
    tenure = granted;
    granted.begin();
    updateUse();
  }

  /**
   * A caller was told of a grant.
   *
   * @param heard whether it was still there
   */
  void told(Tenure granted, boolean heard) {
    granted.told(heard);
    if (tenure == granted && granted.isUnwanted() && acquisitions().isEmpty()) {
      end(granted);
      giveBack(granted.settings(), granted.claim());
    }
  }

  /** Gives back what nobody here believes in; later acquires wait for it. */
  void giveBack(LeaseSettings settings, Claim claim) {
    Release unasked = new Release(node, this, name);
    unasked.giveBack(settings, claim);
    add(unasked);
  }

  // --- Releasing ------------------------------------------------------------------------------

  private void release(CompletableFuture<Void> released) {
    noticeDeadline();
    Tenure held = tenure;
    if (steps.peekLast() instanceof Release underWay && underWay.isAwaited()) {
      underWay.join(released);
      return;
    }
    if (held == null && steps.stream().noneMatch(Step::isAwaited)) {
      node.later(() -> released.complete(null));
      return;
    }
    Release started = new Release(node, this, name);
    started.join(released);
    if (held != null) {
      end(held);
      started.giveBack(held.settings(), held.claim());
    }
    List<Acquisition> undone = acquisitions();
    add(started);
    undone.forEach(acquisition -> acquisition.undo(started));
  }

  // --- Steps ----------------------------------------------------------------------------------

  private void add(Step step) {
    steps.add(step);
    updateUse();
    if (steps.peek() == step) {
      step.begin();
    }
  }

  /** A step is over. */
  void ended(Step step) {
    if (steps.peek() != step) {
      throw new IllegalStateException("a step ended that was not under way");
    }
    steps.remove();
    updateUse();
    Step next = steps.peek();
    if (next != null) {
      next.begin();
    }
  }

  // --- Losing ---------------------------------------------------------------------------------

  private void noticeDeadline() {
    Tenure held = tenure;
    if (held != null) {
      held.noticeDeadline();
    }
  }

  /** Ends a grant as lost; without effect on any other. */
  void lose(Tenure lost, LeaseLost.Reason reason, String message) {
    if (tenure != lost) {
      return;
    }
    end(lost);
    tell(lost, reason, message);
    giveBack(lost.settings(), lost.claim());
  }

  private void tell(Tenure lost, LeaseLost.Reason reason, String message) {
    LeaseLost loss = new LeaseLost(name, owner, lost.token(), reason, message);
    List.copyOf(handlers).forEach(handler -> handler.tell(loss));
  }

  private void end(Tenure held) {
    held.end();
    tenure = null;
    updateUse();
  }

  // --- The node -------------------------------------------------------------------------------

  /** Ends everything: what is held is given back, and lost if that fails. */
  void close() {
    noticeDeadline();
    // The last one first, so that none begins because the one before it has ended.
    List<Step> backwards = new ArrayList<>();
    steps.descendingIterator().forEachRemaining(backwards::add);
    backwards.forEach(Step::close);
    Tenure held = tenure;
    if (held != null) {
      end(held);
      GiveBack.begin(
          node,
          held.settings(),
          held.claim(),
          fault ->
              fault.ifPresent(
                  why ->
                      tell(
                          held,
                          LeaseLost.Reason.CLOSED,
                          "the provider was closed and could not release it: " + why)));
    }
  }

  private void updateUse() {
    node.holds().setInUse(this, tenure != null || !steps.isEmpty() || !handlers.isEmpty());
  }
}
