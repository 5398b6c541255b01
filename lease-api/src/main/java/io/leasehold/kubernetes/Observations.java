package io.leasehold.kubernetes;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Since when this process has seen each lease unchanged, by its own clock. Only what was seen with
 * the same resource version for the time to live has expired: the holder's clock does not matter,
 * and a process that looks for the first time has to look again a time to live later. Safe for many
 * threads.
 */
final class Observations {

  /** What is forgotten beyond this is seen for the first time again, which only takes longer. */
  private static final int LEASES_MAX = 10_000;

  private final Ticker ticker;

  @GuardedBy("this")
  private final Map<String, Observation> byName =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Observation> eldest) {
          return size() > LEASES_MAX;
        }
      };

  private record Observation(String resourceVersion, long sinceNanos) {}

  Observations(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Notes that a lease was seen.
   *
   * @return whether it has been unchanged for so long
   */
  synchronized boolean hasStood(String name, String resourceVersion, Duration ttl) {
    Observation before = byName.get(name);
    if (before == null || !before.resourceVersion().equals(resourceVersion)) {
      byName.put(name, new Observation(resourceVersion, ticker.nanos()));
      return false;
    }
    return ticker.nanos() - before.sinceNanos() >= ttl.toNanos();
  }

  synchronized void forget(String name) {
    byName.remove(name);
  }
}
