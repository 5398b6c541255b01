package io.leasehold.bench;

import io.leasehold.bench.cluster.BenchLog;
import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.store.core.Change;
import io.leasehold.store.core.Outcome;
import io.leasehold.store.rocks.RocksLeaseTable;
import java.util.List;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one write into the table on disk costs: all that an entry of acquires amounts to, or one of
 * releases, in turn. It is not synced, for the log is.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TableWriteBenchmark {

  private static final long TERM = 1;

  /** A table in a temporary folder, and what is written into it. */
  @State(Scope.Thread)
  public static class Table {

    @Param({"1", "64"})
    public int leases;

    private List<List<Change>> inTurn;
    private WorkFolder folder;
    private RocksLeaseTable table;
    private long index;

    @Setup
    public void open() {
      BenchLog.quiet();
      CycleEntries entries = new CycleEntries(leases);
      Outcome granted = entries.apply(entries.acquires());
      Outcome released = entries.apply(entries.releases(granted.reply()));
      inTurn = List.of(granted.changes(), released.changes());
      folder = WorkFolder.create();
      table = RocksLeaseTable.open(folder.path().resolve("table"));
      index = 0;
    }

    @TearDown
    public void close() {
      table.close();
      folder.close();
    }
  }

  @Benchmark
  public void write(Table state) {
    state.index++;
    state.table.write(state.inTurn.get((int) (state.index % 2)), TERM, state.index);
  }
}
