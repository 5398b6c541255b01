package io.leasehold.bench;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.bench.cluster.Place;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What {@code checkAlive()} of a held lease costs, beside the reading of the clock that it cannot
 * do without. With {@code -prof gc} it shows that nothing is allocated.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CheckAliveBenchmark {

  /** A lease that is held, and renewed, while the benchmark runs. */
  @State(Scope.Benchmark)
  public static class Held {

    private Lease lease;

    @Setup
    public void acquire(BenchCluster cluster) {
      lease =
          cluster
              .nodeAt(Place.LEADER)
              .lease(LeaseSettings.of("held", "bench", Duration.ofSeconds(10)));
      if (!lease.acquire().toCompletableFuture().join()) {
        throw new IllegalStateException("the lease is held by another");
      }
    }
  }

  @Benchmark
  public boolean checkAlive(Held held) {
    if (!held.lease.checkAlive()) {
      throw new IllegalStateException("the lease was lost while it was measured");
    }
    return true;
  }

  /** The baseline: {@code checkAlive()} reads the clock once. */
  @Benchmark
  public long clockReading() {
    return System.nanoTime();
  }
}
