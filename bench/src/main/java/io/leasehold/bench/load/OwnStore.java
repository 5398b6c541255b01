package io.leasehold.bench.load;

import static java.util.Objects.requireNonNull;

import io.leasehold.bench.cluster.EmbeddedCluster;
import io.leasehold.bench.cluster.Place;
import io.leasehold.bench.cluster.ProcessCluster;
import io.leasehold.bench.cluster.ThreeNodes;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * Our own store, with the callers on its leader or not.
 *
 * @param starting starts a cluster in a folder
 */
record OwnStore(String name, Place place, Function<Path, ThreeNodes> starting)
    implements Competitor {

  OwnStore {
    requireNonNull(name, "name");
    requireNonNull(place, "place");
    requireNonNull(starting, "starting");
  }

  /**
   * Three processes, one of which is this one.
   *
   * @param jvmOptions of the other two
   */
  static Competitor ofThreeProcesses(Place place, List<String> jvmOptions) {
    return new OwnStore(
        "leasehold, on the " + place,
        place,
        folder -> ProcessCluster.start(folder, jvmOptions, place));
  }

  /** Three nodes in this process. */
  static Competitor embedded(Place place) {
    return new OwnStore("leasehold in one JVM, on the " + place, place, EmbeddedCluster::start);
  }

  @Override
  public LoadTarget start(Path folder) {
    ThreeNodes cluster = starting.apply(folder);
    try {
      return new NodeTarget(name, cluster, place);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }
}
