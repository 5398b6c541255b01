package io.leasehold.bench.load;

import static java.util.Objects.requireNonNull;

import io.leasehold.bench.floor.FloorCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The least that a store can be, to be shown beside all others.
 *
 * @param starting starts a floor in a folder
 */
record FloorStore(String name, Function<Path, FloorCluster> starting) implements Competitor {

  FloorStore {
    requireNonNull(name, "name");
    requireNonNull(starting, "starting");
  }

  /**
   * Three processes, one of which is this one.
   *
   * @param jvmOptions of the other two
   */
  static Competitor ofThreeProcesses(List<String> jvmOptions) {
    return new FloorStore("floor", folder -> FloorCluster.ofProcesses(folder, jvmOptions));
  }

  /** Three threads of this process. */
  static Competitor embedded() {
    return new FloorStore("floor in one JVM", FloorCluster::ofThreads);
  }

  @Override
  public LoadTarget start(Path folder) {
    return new Target(name, starting.apply(folder));
  }

  private record Target(String name, FloorCluster floor) implements LoadTarget {

    @Override
    public Contender contender(String lease, String owner) {
      return new Asker(floor, lease, owner);
    }

    @Override
    public List<Long> pids() {
      return floor.pids();
    }

    @Override
    public void close() {
      floor.close();
    }
  }

  private record Asker(FloorCluster floor, String lease, String owner) implements Contender {

    @Override
    public CompletionStage<Boolean> acquire() {
      return floor.acquire(lease, owner);
    }

    /** The floor has no timers: it waits for as long as it takes. */
    @Override
    public CompletionStage<Boolean> acquire(Duration maxWait) {
      return floor.acquireOrWait(lease, owner);
    }

    @Override
    public CompletionStage<?> release() {
      return floor.release(lease, owner);
    }
  }
}
