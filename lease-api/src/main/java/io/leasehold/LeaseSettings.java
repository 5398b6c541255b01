package io.leasehold;

import io.leasehold.time.DurationText;
import java.time.Duration;
import java.util.Optional;

/**
 * What a lease is asked for with.
 *
 * @param name which lease; at most {@value LeaseLimits#NAME_BYTES_MAX} bytes of UTF-8, never
 *     truncated or normalised
 * @param owner the claimant's own name for itself, such as a pod's name; at most {@value
 *     LeaseLimits#OWNER_BYTES_MAX} bytes of UTF-8. Parts of one process that must exclude each
 *     other need different owners: handles with the same name and owner share one hold
 * @param ttl how long the lease outlives the last renewal; 100 ms to 24 h. Choose it several times
 *     the election timeout and longer than the longest pause that should be survived
 * @param renewalInterval how often it is renewed at least; 10 ms to half the ttl. A process renews
 *     all its leases together, at the smallest interval among them
 * @param acquireRetries attempts for each {@link Lease#acquire()}, at least 1, which means a single
 *     one; no matter to an acquire that waits in the queue
 * @param acquireRetryDelay pause between two attempts; up to 24 h
 * @param reclaim whether the same owner in a newer process takes over at once. Only for owners that
 *     are unique among living processes (a StatefulSet's pods): if the older process is merely
 *     paused it may believe in its hold until it hears of the takeover or reaches its deadline, so
 *     exclusion rests on the fencing token alone for that time
 */
public record LeaseSettings(
    String name,
    String owner,
    Duration ttl,
    Duration renewalInterval,
    int acquireRetries,
    Duration acquireRetryDelay,
    boolean reclaim) {

  private static final int DEFAULT_ACQUIRE_RETRIES = 3;
  private static final Duration DEFAULT_ACQUIRE_RETRY_DELAY = Duration.ofMillis(100);

  /**
   * @throws InvalidLeaseArgumentException naming the field, the value and the limit
   */
  public LeaseSettings {
    refuse("name", LeaseLimits.faultInName(name));
    refuse("owner", LeaseLimits.faultInOwner(owner));
    refuse("ttl", LeaseLimits.faultInTtl(ttl));
    refuse("renewalInterval", faultInRenewalInterval(renewalInterval, ttl));
    refuse(
        "acquireRetries",
        acquireRetries < 1
            ? Optional.of("must be at least 1: " + acquireRetries)
            : Optional.empty());
    refuse("acquireRetryDelay", faultInDelay(acquireRetryDelay));
  }

  /**
   * Settings with the defaults: renewal every third of the ttl, 3 attempts 100 ms apart, no
   * reclaim.
   */
  public static LeaseSettings of(String name, String owner, Duration ttl) {
    refuse("ttl", LeaseLimits.faultInTtl(ttl));
    return new LeaseSettings(
        name,
        owner,
        ttl,
        ttl.dividedBy(3),
        DEFAULT_ACQUIRE_RETRIES,
        DEFAULT_ACQUIRE_RETRY_DELAY,
        false);
  }

  /** These settings for another lease. */
  public LeaseSettings withName(String newName) {
    return new LeaseSettings(
        newName, owner, ttl, renewalInterval, acquireRetries, acquireRetryDelay, reclaim);
  }

  /** These settings for another owner. */
  public LeaseSettings withOwner(String newOwner) {
    return new LeaseSettings(
        name, newOwner, ttl, renewalInterval, acquireRetries, acquireRetryDelay, reclaim);
  }

  /** These settings with another ttl; the renewal interval becomes a third of it. */
  public LeaseSettings withTtl(Duration newTtl) {
    refuse("ttl", LeaseLimits.faultInTtl(newTtl));
    return new LeaseSettings(
        name, owner, newTtl, newTtl.dividedBy(3), acquireRetries, acquireRetryDelay, reclaim);
  }

  /** These settings with another renewal interval. */
  public LeaseSettings withRenewalInterval(Duration newInterval) {
    return new LeaseSettings(
        name, owner, ttl, newInterval, acquireRetries, acquireRetryDelay, reclaim);
  }

  /** These settings with another number of attempts. */
  public LeaseSettings withAcquireRetries(int newRetries) {
    return new LeaseSettings(
        name, owner, ttl, renewalInterval, newRetries, acquireRetryDelay, reclaim);
  }

  /** These settings with another pause between attempts. */
  public LeaseSettings withAcquireRetryDelay(Duration newDelay) {
    return new LeaseSettings(name, owner, ttl, renewalInterval, acquireRetries, newDelay, reclaim);
  }

  /** These settings with or without reclaim. */
  public LeaseSettings withReclaim(boolean newReclaim) {
    return new LeaseSettings(
        name, owner, ttl, renewalInterval, acquireRetries, acquireRetryDelay, newReclaim);
  }

  private static void refuse(String field, Optional<String> fault) {
    fault.ifPresent(
        message -> {
          throw new InvalidLeaseArgumentException(field, message);
        });
  }

  private static Optional<String> faultInRenewalInterval(Duration interval, Duration ttl) {
    if (interval == null) {
      return Optional.of("must not be null");
    }
    if (interval.compareTo(LeaseLimits.RENEWAL_INTERVAL_MIN) < 0
        || interval.compareTo(ttl.dividedBy(2)) > 0) {
      return Optional.of(
          "must be at least %s and at most half the ttl of %s: %s"
              .formatted(
                  DurationText.of(LeaseLimits.RENEWAL_INTERVAL_MIN),
                  DurationText.of(ttl),
                  DurationText.of(interval)));
    }
    return Optional.empty();
  }

  private static Optional<String> faultInDelay(Duration delay) {
    if (delay == null) {
      return Optional.of("must not be null");
    }
    if (delay.isNegative() || delay.compareTo(LeaseLimits.ACQUIRE_RETRY_DELAY_MAX) > 0) {
      return Optional.of(
          "must be between 0 and %s: %s"
              .formatted(
                  DurationText.of(LeaseLimits.ACQUIRE_RETRY_DELAY_MAX), DurationText.of(delay)));
    }
    return Optional.empty();
  }
}
