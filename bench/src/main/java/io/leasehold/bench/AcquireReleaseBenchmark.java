package io.leasehold.bench;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.bench.cluster.Place;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * What one acquire and its release cost a caller who waits for each, with the log synced to disk.
 * Every thread has a lease of its own: {@code -t 64} is 64 callers.
 */
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(1)
public class AcquireReleaseBenchmark {

  /** One caller and its lease. */
  @State(Scope.Thread)
  public static class Caller {

    @Param({"LEADER", "FOLLOWER"})
    public Place on;

    private Lease lease;

    /** Looks anew for each iteration, because the leadership may have moved. */
    @Setup(Level.Iteration)
    public void find(BenchCluster cluster, ThreadParams thread) {
      String owner = "caller" + thread.getThreadIndex();
      lease =
          cluster.nodeAt(on).lease(LeaseSettings.of("of-" + owner, owner, Duration.ofSeconds(10)));
    }
  }

  @Benchmark
  public void acquireAndRelease(Caller caller) {
    if (!caller.lease.acquire().toCompletableFuture().join()) {
      throw new IllegalStateException("the lease is held by another");
    }
    caller.lease.release().toCompletableFuture().join();
  }
}
