package io.leasehold.bench.peers;

import io.leasehold.bench.load.Competitor;
import io.leasehold.bench.load.LoadTarget;
import java.nio.file.Path;

/** Hazelcast's CP subsystem, which is in memory, in three processes, one of which is this one. */
public final class HazelcastCompetitor implements Competitor {

  @Override
  public String name() {
    return "hazelcast";
  }

  @Override
  public boolean isDurable() {
    return false;
  }

  @Override
  public LoadTarget start(Path folder) {
    return HazelcastTarget.start(name(), folder);
  }
}
