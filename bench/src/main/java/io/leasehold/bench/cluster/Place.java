package io.leasehold.bench.cluster;

import java.util.Locale;

/** Where the callers are. */
public enum Place {
  /** In the process of the node that leads. */
  LEADER,
  /** In the process of another node. */
  FOLLOWER;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
