package io.leasehold.holder;

import io.leasehold.LeaseLost;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * One attempt to become the holder of a lease, and the hold that comes of it: what the store knows
 * by an identity that no other claim has. The methods hand a request over and return at once; the
 * stages complete on any thread. They are called outside every lock. Safe for many threads.
 */
public interface Claim {

  /**
   * Asks for the lease, once for each claim. The time to live begins when the store has applied it,
   * so not before this call.
   *
   * @return completes with the fencing token, or empty when another holder definitely has it and
   *     this claim has nothing; fails with {@link io.leasehold.LeaseUnavailableException} when this
   *     claim certainly has nothing, and with anything else when that is not known
   */
  CompletionStage<OptionalLong> ask();

  /**
   * Asks for another time to live.
   *
   * @return completes empty when this claim still has the lease, by a reading made after this call,
   *     and otherwise with why it has not; fails when that is not known
   */
  CompletionStage<Optional<LeaseLost.Reason>> renew();

  /**
   * Gives back what this claim has or may still get, by a request that is on its way; leaves every
   * other claim alone. May be repeated.
   *
   * @return completes when this claim has nothing and will get nothing; fails when that is not
   *     known
   */
  CompletionStage<Void> giveBack();
}
