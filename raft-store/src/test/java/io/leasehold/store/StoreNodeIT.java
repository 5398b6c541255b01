package io.leasehold.store;

import static io.leasehold.store.StoreCluster.acquire;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.StoreCluster.Client;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster of real nodes does: commit, apply, reply, on whichever node one asks. */
final class StoreNodeIT {

  private static final Duration TTL = Duration.ofSeconds(30);

  @TempDir Path root;

  @Test
  void aBatchIsAppliedWhicheverNodeIsAsked() throws Exception {
    try (StoreCluster cluster = StoreCluster.start(root)) {
      cluster.leader();
      long id = 1;
      for (StoreNode node : cluster.nodes()) {
        Client client = new Client(id++);
        assertThat(client.open(node, TTL).status()).isEqualTo(BatchReply.Status.APPLIED);

        BatchReply reply = client.call(node, acquire("of-" + node.node(), TTL, 1));

        assertThat(reply.replies()).singleElement().isInstanceOf(Reply.Granted.class);
        LeaseStore.Reading reading =
            node.readAt(reply.index()).toCompletableFuture().get(5, TimeUnit.SECONDS);
        assertThat(reading.find("of-" + node.node())).isPresent();
      }
    }
  }
}
