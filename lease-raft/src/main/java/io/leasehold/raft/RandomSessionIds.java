package io.leasehold.raft;

import io.leasehold.store.core.SessionId;
import java.util.Random;
import java.util.function.Supplier;

/** Names sessions at random: two of them are the same as rarely as two 128-bit keys. */
final class RandomSessionIds {

  private RandomSessionIds() {}

  static Supplier<SessionId> create(Random random) {
    return () -> new SessionId(random.nextLong(), random.nextLong());
  }
}
