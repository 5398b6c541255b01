package io.leasehold;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The view of the whole store for observers and operators. Reads are linearizable: they see every
 * operation that completed before they were called. Stages fail with {@link
 * LeaseUnavailableException} when no majority answers in time. A name that no lease can have, a
 * null observer or a null reason is refused with an {@link InvalidLeaseArgumentException} by the
 * call itself. Safe for many threads.
 */
public interface LeaseInspector {

  /** Every lease that is held or queued for, in the order of their names. */
  CompletionStage<List<LeaseStatus>> list();

  /** One lease; empty when it is free. */
  CompletionStage<Optional<LeaseStatus>> find(String name);

  /**
   * Tells an observer who holds a lease now and then each change, in order. The first events are
   * {@link LeaseEvent.Kind#CURRENT} ones, or {@link LeaseEvent.Kind#FREE}; after falling behind, or
   * reconnecting, they come again, so the last state always arrives. The observer runs on the
   * callback executor, one event at a time; one that throws is logged, and is told of the events to
   * come.
   */
  Subscription watch(String name, Consumer<LeaseEvent> observer);

  /**
   * As {@link #watch(String, Consumer)}, for all leases. It begins with those that are held; none
   * of them held, it begins with the first change.
   */
  Subscription watchAll(Consumer<LeaseEvent> observer);

  /**
   * Ends a hold on an operator's behalf, safely: from now on no renewal counts, the holder is told
   * at once ({@link LeaseLost.Reason#REVOKED}), and the lease is free as soon as the holder's
   * process has confirmed, or when the time to live has run out.
   *
   * @param expectedToken the hold that is meant; another one is left alone
   * @param reason one sentence for the holder's log, of at most 1,000 characters and without line
   *     ends
   * @return completes with whether that hold was there to be revoked, also when it has been revoked
   *     before and still runs out; true does not mean that the lease is free yet. Fails with {@link
   *     LeaseUnavailableException} when it certainly had no effect and with {@link
   *     LeaseIndeterminateException} when it may have had one
   */
  CompletionStage<Boolean> revoke(String name, long expectedToken, String reason);

  /**
   * As {@link #revoke}, but frees the lease at once, while its holder may still believe in it for
   * the rest of its local deadline. <b>Unsafe</b>: only the fencing token excludes the old holder
   * for that time.
   */
  CompletionStage<Boolean> revokeUnsafely(String name, long expectedToken, String reason);
}
