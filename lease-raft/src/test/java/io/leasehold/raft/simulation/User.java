package io.leasehold.raft.simulation;

import io.leasehold.Lease;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.raft.simulation.Violation.Rule;
import io.leasehold.store.core.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One user of one lease on one node: calls whatever there is to call, in any order, and judges the
 * answers. Begins anew with each life of its node.
 */
final class User {

  private static final int CALLS_MAX = 4;

  /** The longest wait in a queue that is asked for. */
  static final Duration WAIT_MAX = Duration.ofSeconds(3);

  private final World world;
  private final SimulatedNode node;
  private final Tenures tenures;
  private final HolderInvariants invariants;
  private final LeaseSettings settings;
  private final long thinkNanosMax;
  private final List<CompletableFuture<Boolean>> calls = new ArrayList<>();
  private Lease lease;
  private boolean atRest;

  User(
      World world,
      SimulatedNode node,
      Tenures tenures,
      HolderInvariants invariants,
      LeaseSettings settings,
      long thinkNanosMax) {
    this.world = world;
    this.node = node;
    this.tenures = tenures;
    this.invariants = invariants;
    this.settings = settings;
    this.thinkNanosMax = thinkNanosMax;
    this.lease = node.holder().lease(settings);
  }

  SimulatedNode node() {
    return node;
  }

  /** A life of its node has begun. */
  void begin() {
    lease = node.holder().lease(settings);
    var unused = lease.onLost(this::lost);
    calls.clear();
    think();
  }

  /** Makes no more calls of its own. */
  void rest() {
    atRest = true;
  }

  private void think() {
    if (!atRest) {
      SimulatedProcess process = node.process();
      world.after(world.between(0, thinkNanosMax), () -> process.run(this::act));
    }
  }

  private void act() {
    if (atRest || node.isClosing()) {
      return;
    }
    switch (world.random().nextInt(24)) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> acquire(Duration.ZERO);
      case 8, 9, 10, 11, 12 -> acquire(Duration.ofNanos(world.between(1, WAIT_MAX.toNanos())));
      case 13, 14, 15, 16, 17, 18 -> release();
      case 19, 20 -> cancel();
      case 21, 22 -> find();
      default -> revoke();
    }
    think();
  }

  private void acquire(Duration wait) {
    if (calls.size() < CALLS_MAX) {
      var unused = call(wait);
    }
  }

  /** Acquires and judges the answer. */
  CompletableFuture<Boolean> call(Duration wait) {
    long calledNanos = world.nanos();
    world.tell(() -> "%s calls acquire, waits %s".formatted(this, wait));
    CompletableFuture<Boolean> call = lease.acquire(wait).toCompletableFuture();
    calls.add(call);
    CompletionStage<Boolean> unused =
        call.whenComplete(
            (granted, failure) -> {
              calls.removeIf(each -> each == call);
              world.tell(() -> "%s is answered %s %s".formatted(this, granted, failure));
              if (granted == null) {
                count(failure);
              } else if (granted) {
                granted();
              } else {
                refused(calledNanos);
              }
            });
    return call;
  }

  private void count(Throwable failure) {
    if (failure instanceof LeaseIndeterminateException) {
      world.count(Occurrence.ACQUIRE_UNKNOWN);
    } else if (failure instanceof LeaseUnavailableException) {
      world.count(Occurrence.ACQUIRE_UNAVAILABLE);
    } else {
      world.count(Occurrence.ACQUIRE_CANCELLED);
    }
  }

  private void granted() {
    world.count(Occurrence.ACQUIRE_TRUE);
    lease.fencingToken().ifPresent(token -> invariants.delivered(node, token));
  }

  private void refused(long calledNanos) {
    world.count(Occurrence.ACQUIRE_FALSE);
    Optional<SessionId> session = node.holder().session();
    boolean honest =
        tenures.anySince(
            settings.name(),
            calledNanos,
            tenure ->
                !tenure.holder.owner().equals(settings.owner())
                    || session.filter(tenure.holder.session()::equals).isEmpty());
    if (!honest) {
      world.fail(
          new Violation(
              Rule.HONEST_REFUSAL, this + " was refused, and nobody else had the lease meanwhile"));
    }
  }

  /** Releases, also what it does not hold. */
  CompletionStage<Void> release() {
    OptionalLong token = lease.fencingToken();
    world.tell(() -> "%s calls release of %s".formatted(this, token));
    CompletionStage<Void> released = lease.release();
    token.ifPresent(given -> invariants.givenUp(node, given));
    return released.whenComplete(
        (done, failure) -> {
          if (failure instanceof LeaseIndeterminateException) {
            world.count(Occurrence.RELEASE_UNKNOWN);
          }
        });
  }

  private void cancel() {
    if (!calls.isEmpty()) {
      world.tell(() -> "%s cancels a call".formatted(this));
      calls.get(world.random().nextInt(calls.size())).cancel(false);
    }
  }

  private void find() {
    long calledNanos = world.nanos();
    var unused =
        node.holder()
            .inspector()
            .find(settings.name())
            .thenAccept(found -> judge(found, calledNanos));
  }

  private void judge(Optional<LeaseStatus> found, long calledNanos) {
    boolean wasSo =
        found.isPresent()
            ? tenures.anySince(
                settings.name(), calledNanos, tenure -> tenure.token == found.get().fencingToken())
            : tenures.freeSince(settings.name(), calledNanos);
    if (!wasSo) {
      world.fail(
          new Violation(Rule.INSPECTION, "%s found %s, which was over".formatted(this, found)));
    }
  }

  private void revoke() {
    var unused =
        node.holder()
            .inspector()
            .find(settings.name())
            .thenAccept(
                found ->
                    found.ifPresent(
                        status -> {
                          world.tell(() -> "%s revokes %s".formatted(this, status));
                          var unusedRevocation =
                              node.holder()
                                  .inspector()
                                  .revoke(settings.name(), status.fencingToken(), "to see");
                        }));
  }

  private void lost(LeaseLost lost) {
    world.tell(() -> "%s is told %s".formatted(this, lost));
    switch (lost.reason()) {
      case EXPIRED -> world.count(Occurrence.LOST_EXPIRED);
      case UNREACHABLE -> world.count(Occurrence.LOST_UNREACHABLE);
      case REVOKED -> world.count(Occurrence.LOST_REVOKED);
      case CLOSED -> world.count(Occurrence.LOST_CLOSED);
      case TAKEN_OVER, SESSION_LOST -> {} // rare, as a hold's own deadline comes before
    }
    try {
      invariants.lost(node, lost);
    } catch (Violation violation) {
      world.fail(violation); // the node would only log what a handler throws
    }
    if (!atRest && !node.isClosing()) {
      switch (world.random().nextInt(4)) {
        case 0 -> acquire(Duration.ZERO);
        case 1 -> {
          var unused = release();
        }
        default -> {}
      }
    }
  }

  /** Whether every call has been answered. */
  boolean isAnswered() {
    return calls.isEmpty();
  }

  @Override
  public String toString() {
    return "%s@%s on %s".formatted(settings.owner(), settings.name(), node.name());
  }
}
