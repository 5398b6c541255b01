package io.leasehold.bench.load;

import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/** A lease store that can be put under load: ours in several forms, and its peers. */
public interface Competitor {

  /** Its name in the tables, and of a peer also on the command line. */
  String name();

  /** Whether its log is synced to disk; otherwise it is in memory only. */
  default boolean isDurable() {
    return true;
  }

  /**
   * Starts three nodes on loopback, with their logs synced to disk if it has any there, and what
   * callers in this process need.
   *
   * @param folder where they keep their state
   */
  LoadTarget start(Path folder);

  /** Finds the adapters of other stores: services, which only the profile {@code peers} builds. */
  static List<Competitor> peers() {
    return ServiceLoader.load(Competitor.class).stream().map(ServiceLoader.Provider::get).toList();
  }
}
