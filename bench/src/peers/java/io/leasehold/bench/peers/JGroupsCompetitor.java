package io.leasehold.bench.peers;

import io.leasehold.bench.load.Competitor;
import io.leasehold.bench.load.LoadTarget;
import java.nio.file.Path;

/** jgroups-raft in three processes, one of which is this one, with a table of locks on top. */
public final class JGroupsCompetitor implements Competitor {

  @Override
  public String name() {
    return "jgroups";
  }

  @Override
  public LoadTarget start(Path folder) {
    return JGroupsTarget.start(name(), folder);
  }
}
