package io.leasehold;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A named, exclusive claim with a time to live: at most one holder at a time, renewed while the
 * holder lives, lost when it does not.
 *
 * <p>A handle is reusable for ever: after a loss, a release or a failure it can be acquired again.
 * It is safe for use by many threads, and a hold is never tied to the thread that acquired it. Two
 * handles that one provider gave for the same name and owner are views of one hold; different
 * owners, or the same owner in two processes, exclude each other.
 *
 * <p>Between {@link #checkAlive()} and the write it guards any pause may fall. A resource that must
 * never see two writers has to compare {@link #fencingToken() fencing tokens} and refuse older
 * ones; no lease service can do without (see Kleppmann, "How to do distributed locking", 2016, and
 * the README of etcd's contrib/lock).
 *
 * <p>The stages returned here complete, and the handlers given here run, on the provider's callback
 * executor; both may block. A thread that waits for a stage needs no other one to be woken by; what
 * is attached to the stage in that very moment may run on it, as with any future of Java's.
 */
public interface Lease {

  /** Returns what this lease was configured with. */
  LeaseSettings settings();

  /**
   * Tries to become the holder, at most {@link LeaseSettings#acquireRetries()} times while another
   * one has the lease.
   *
   * <p>While the lease is held this is a confirming round trip: it completes with {@code true} and
   * the token stays the same, or the loss is noticed there and then and a new attempt is made.
   * Otherwise {@code true} always comes with a greater fencing token than any before. Calls made
   * while an attempt is under way share that attempt.
   *
   * @return completes with {@code true} when this holder has the lease from now on (the grant is
   *     applied, not merely sent), with {@code false} when another holder definitely had it at the
   *     last attempt; fails with {@link LeaseUnavailableException} when the attempt certainly had
   *     no effect and with {@link LeaseIndeterminateException} when it may have had one, in which
   *     case the lease is given back in the background. Never completes normally with null.
   */
  CompletionStage<Boolean> acquire();

  /**
   * Tries to become the holder and waits in the lease's queue while another one has it. Waiters are
   * served first come, first served, by the very command that frees the lease; one whose process
   * died is skipped.
   *
   * <p>Cancelling the returned stage's {@linkplain CompletionStage#toCompletableFuture() future}
   * leaves the queue; if the grant had already been made, the lease is given back. Where several
   * calls share an attempt, it is withdrawn when the last of them is cancelled.
   *
   * @param maxWait how long to stay in the queue; zero is the same as {@link #acquire()}
   * @return as {@link #acquire()}; {@code false} once {@code maxWait} has passed and the queue has
   *     been left
   * @throws IllegalArgumentException when {@code maxWait} is null or negative
   */
  CompletionStage<Boolean> acquire(Duration maxWait);

  /**
   * Gives the lease up. {@link #checkAlive()} is false when this method returns, before anything is
   * sent. Does nothing when the lease is not held. An acquire under way is awaited and then undone;
   * one that waits in the queue leaves it and completes with {@code false}. An acquire that is
   * called after the release is not affected by it. Never frees another holder's, or a later,
   * grant. Causes no {@link #onLost} call.
   *
   * @return completes when the store has freed the lease (or it was not held); fails with {@link
   *     LeaseIndeterminateException} when that is not known, in which case the release is repeated
   *     in the background until the time to live would have ended the hold
   */
  CompletionStage<Void> release();

  /**
   * Returns whether this holder has the lease and can prove it: true only while it is held and
   * before the local deadline. No I/O, no lock, no allocation; may be called from any thread as
   * often as liked. A process that wakes from a pause longer than the time to live gets false on
   * its very first call; after a suspend of the whole machine on Linux with Java 22 and later, and
   * with Java 17 within 100 ms of waking. For one acquisition the answer never turns from false to
   * true.
   */
  boolean checkAlive();

  /**
   * Returns the time until the local deadline; zero when the lease is not held. It is less than the
   * time to live, for the holder gives up before the store does, and grows with each renewal. Work
   * that takes longer than this should be begun only if it can be stopped.
   */
  Duration remaining();

  /**
   * Returns the fencing token of the current hold: greater than every one granted before; empty
   * when not held. Tokens are large and have gaps: their base is the time, in seconds, at which the
   * cluster was created, shifted left by 20 bits, so that a cluster made anew goes on above the old
   * one. They fit into 53 bits.
   */
  OptionalLong fencingToken();

  /**
   * Registers a handler that is called exactly once for each loss of a hold, acquired through
   * whichever handle, that happens while it is registered: never after a voluntary release, never
   * for a hold that never was, never for one lost before the registration. {@link #checkAlive()} is
   * already false when it is called. It stays registered for the next hold. A handler may
   * unsubscribe, acquire, release or block; one that throws is logged and disturbs no other.
   *
   * <p>It is a notification: the next holder may have started before it runs. {@link #checkAlive()}
   * is the fact.
   *
   * @return closes the registration
   */
  Subscription onLost(Consumer<LeaseLost> handler);
}
