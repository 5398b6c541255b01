package io.leasehold.harness.chaos;

import io.leasehold.time.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a run under faults is to be.
 *
 * @param command how to run it again, for the history
 * @param folder where everything of the run goes; the history and the report stay there
 */
record ChaosSettings(
    long seed,
    Duration duration,
    Set<FaultKind> kinds,
    int nodes,
    int leases,
    Duration ttl,
    long snapshotLogBytes,
    String command,
    Path folder) {

  ChaosSettings {
    kinds = kinds.isEmpty() ? Set.of() : EnumSet.copyOf(kinds);
    if (nodes < 1 || nodes > 9) {
      throw new IllegalArgumentException("nodes must be 1 to 9: " + nodes);
    }
    if (leases < 1 || leases > 1_000) {
      throw new IllegalArgumentException("leases must be 1 to 1000: " + leases);
    }
    if (duration.compareTo(Duration.ofSeconds(10)) < 0) {
      throw new IllegalArgumentException(
          "duration must be at least 10 s: " + DurationText.of(duration));
    }
  }
}
