package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.AcquireAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Leases that nodes hold for a whole scene, and their tokens, so that a loss shows. */
final class Holdings {

  static final Duration TTL = Duration.ofSeconds(10);

  /** Of each node. */
  static final int LEASES = 10;

  private final Stage stage;

  /** Of each lease that is held: its token. */
  private final Map<String, Long> tokens = new TreeMap<>();

  Holdings(Stage stage) {
    this.stage = stage;
  }

  private static List<String> leasesOf(String node) {
    List<String> leases = new ArrayList<>();
    for (int i = 0; i < LEASES; i++) {
      leases.add("held-by-" + node + "-" + i);
    }
    return leases;
  }

  /** Has a node acquire its leases. */
  void acquire(String node) {
    for (String lease : leasesOf(node)) {
      AcquireAnswer answer = NodeClient.await(stage.acquire(node, lease, TTL, TTL));
      if (!answer.acquired() || answer.fencingToken() == null) {
        throw new SceneFailedException(node + " has not got the lease " + lease);
      }
      tokens.put(lease, answer.fencingToken());
    }
  }

  /** Puts to the test that nodes hold all theirs as before. */
  void promiseHeld(List<String> nodes) {
    stage.promise(
        nodes.stream().allMatch(this::holdsAll),
        "The %d leases of %s are held as before, with the same tokens"
            .formatted(LEASES * nodes.size(), String.join(" and ", nodes)),
        "");
  }

  private boolean holdsAll(String node) {
    return leasesOf(node).stream()
        .allMatch(
            lease -> {
              var handle = NodeClient.await(stage.node(node).find(lease, Stage.owner(node)));
              return handle.alive() && Objects.equals(tokens.get(lease), handle.fencingToken());
            });
  }
}
