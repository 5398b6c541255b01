package io.leasehold.pekko;

import com.typesafe.config.Config;
import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.LeaseSettings;
import io.leasehold.time.DurationText;
import java.time.Duration;
import org.apache.pekko.coordination.lease.TimeoutSettings;

/**
 * Pekko's settings of a lease in the words of this library. Immutable.
 *
 * @param lease what the lease is asked for with
 * @param acquireWait how long an acquire waits in the queue
 * @param operationTimeout how long an acquire or a release may take, the wait included
 */
record PekkoSettings(LeaseSettings lease, Duration acquireWait, Duration operationTimeout) {

  private static final String PATH = "leasehold.pekko";

  /**
   * @param system the actor system's configuration, for what the lease's own does not have
   * @throws IllegalArgumentException naming what is outside its limits; nothing is ever shortened
   */
  static PekkoSettings of(
      org.apache.pekko.coordination.lease.LeaseSettings settings, Config system) {
    Config config = settings.leaseConfig().withFallback(system.getConfig(PATH));
    TimeoutSettings timeouts = settings.timeoutSettings();
    return new PekkoSettings(
        lease(settings, config.getBoolean("reclaim")),
        acquireWait(config, timeouts.getOperationTimeout()),
        timeouts.getOperationTimeout());
  }

  private static LeaseSettings lease(
      org.apache.pekko.coordination.lease.LeaseSettings settings, boolean reclaim) {
    TimeoutSettings timeouts = settings.timeoutSettings();
    try {
      return LeaseSettings.of(
              settings.leaseName(), settings.ownerName(), timeouts.getHeartbeatTimeout())
          .withRenewalInterval(timeouts.getHeartbeatInterval())
          .withReclaim(reclaim);
    } catch (InvalidLeaseArgumentException refused) {
      String key =
          switch (refused.field()) {
            case "ttl" -> ", heartbeat-timeout";
            case "renewalInterval" -> ", heartbeat-interval";
            default -> "";
          };
      throw new IllegalArgumentException(
          "lease '%s' of '%s'%s: %s"
              .formatted(settings.leaseName(), settings.ownerName(), key, refused.getMessage()),
          refused);
    }
  }

  private static Duration acquireWait(Config config, Duration operationTimeout) {
    Duration wait = config.getDuration("acquire-wait");
    if (wait.isNegative() || wait.compareTo(operationTimeout) >= 0) {
      throw new IllegalArgumentException(
          "acquire-wait must be at least 0 and less than the lease-operation-timeout of %s: %s"
              .formatted(DurationText.of(operationTimeout), DurationText.of(wait)));
    }
    return wait;
  }
}
