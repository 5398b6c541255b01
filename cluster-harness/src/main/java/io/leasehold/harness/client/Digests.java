package io.leasehold.harness.client;

import io.leasehold.harness.wire.DigestView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What several nodes hold, seen after the same log entry. Each is asked for an entry that is still
 * to come, and the log is moved on to there by reading; under load it passes so soon that the next
 * try is further ahead.
 */
public final class Digests {

  private static final String READ_LEASE = "leasehold/compare";
  private static final List<Integer> AHEAD = List.of(2, 16, 128, 1_024, 8_192);

  private Digests() {}

  /**
   * Returns the digest of each node, in their order; empty if the log moves on too fast for them to
   * be seen at the same entry.
   *
   * @throws NodeCallException when one does not answer
   */
  public static Optional<List<DigestView>> afterTheSameEntry(List<NodeClient> nodes) {
    for (int ahead : AHEAD) {
      List<DigestView> digests = at(nodes, newest(nodes) + ahead);
      if (digests.stream().map(DigestView::index).distinct().count() == 1) {
        return Optional.of(digests);
      }
    }
    return Optional.empty();
  }

  /** Whether they hold the same. */
  public static boolean areSame(List<DigestView> digests) {
    return digests.stream().map(DigestView::sha256).distinct().count() == 1;
  }

  private static long newest(List<NodeClient> nodes) {
    return nodes.stream()
        .mapToLong(node -> NodeClient.await(node.status()).appliedIndex())
        .max()
        .orElseThrow();
  }

  private static List<DigestView> at(List<NodeClient> nodes, long index) {
    List<CompletableFuture<DigestView>> asked =
        nodes.stream().map(node -> node.digestAt(index)).toList();
    while (!asked.stream().allMatch(CompletableFuture::isDone)) {
      NodeClient.await(nodes.get(0).find(READ_LEASE).handle((lease, none) -> true));
    }
    return asked.stream().map(NodeClient::await).toList();
  }
}
