package io.leasehold.bench.cluster;

import io.leasehold.harness.process.Patience;
import io.leasehold.raft.RaftLeases;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** The start of a cluster: a leader that is known need not serve yet. */
final class Quorum {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Quorum() {}

  /** Waits until a majority answers a node, and returns the node. */
  static RaftLeases await(RaftLeases node) {
    return Patience.until("an answer of a majority", LIMIT, () -> answered(node));
  }

  private static Optional<RaftLeases> answered(RaftLeases node) {
    try {
      node.inspector().list().toCompletableFuture().join();
      return Optional.of(node);
    } catch (CompletionException notYet) {
      return Optional.empty();
    }
  }
}
