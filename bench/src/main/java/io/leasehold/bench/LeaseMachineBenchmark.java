package io.leasehold.bench;

import io.leasehold.store.core.Outcome;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the rules cost: two entries applied to a table in memory, of which the first acquires leases
 * and the second releases them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LeaseMachineBenchmark {

  /** A table, and the log that goes on with every invocation. */
  @State(Scope.Thread)
  public static class Log {

    @Param({"1", "64"})
    public int leases;

    private CycleEntries entries;

    @Setup
    public void begin() {
      entries = new CycleEntries(leases);
    }
  }

  @Benchmark
  public Outcome applyAcquiresAndReleases(Log log) {
    Outcome granted = log.entries.apply(log.entries.acquires());
    return log.entries.apply(log.entries.releases(granted.reply()));
  }
}
