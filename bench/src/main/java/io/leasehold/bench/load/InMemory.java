package io.leasehold.bench.load;

import java.nio.file.Path;

/** A store whose log is on a file system in memory, where syncing costs and keeps nothing. */
record InMemory(Competitor store) implements Competitor {

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public boolean isDurable() {
    return false;
  }

  @Override
  public LoadTarget start(Path folder) {
    return store.start(folder);
  }
}
