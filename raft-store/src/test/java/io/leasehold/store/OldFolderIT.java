package io.leasehold.store;

import static io.leasehold.store.StoreCluster.LIMIT;
import static io.leasehold.store.StoreCluster.acquire;
import static io.leasehold.store.StoreCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.StoreCluster.Client;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Folders that versions have left are read by all later ones: log, snapshot, table, vote. One of
 * them is what {@link #leave} makes, packed: {@code node-folder-} and the number of its format.
 * None is ever changed; a version that writes another format adds one.
 */
final class OldFolderIT {

  private static final Duration TTL = Duration.ofHours(20);
  private static final Client HOLDER = new Client(1);
  private static final Client WAITER = new Client(2);

  @TempDir Path root;

  private static StoreConfig config(Path folder) {
    return StoreConfig.of("fixture", "n1", StoreCluster.freeMembers().subList(0, 1), folder);
  }

  /** Leaves a folder of a node that has run: some of it in a snapshot, some in the log alone. */
  static void leave(Path folder) throws Exception {
    try (StoreNode node = StoreNode.start(config(folder))) {
      HOLDER.open(node, TTL);
      WAITER.open(node, TTL);
      HOLDER.call(node, acquire("in the snapshot", TTL, 1), acquire("grüße", TTL, 2));
      WAITER.call(node, waiting("in the snapshot", 1));
      get(node.snapshot(), LIMIT);
      long token = granted(HOLDER.call(node, acquire("revoked", TTL, 3)).replies().get(0));
      HOLDER.call(node, new Command.Revoke("revoked", token, "for a test", false));
      HOLDER.call(node, acquire("in the log", TTL, 4), acquire("released", TTL, 5));
      HOLDER.call(node, new Command.Leave("released", 5));
      WAITER.call(node, waiting("in the log", 2));
    }
  }

  private static Command.Acquire waiting(String name, long acquisitionId) {
    return new Command.Acquire(name, "owner", TTL.toNanos(), acquisitionId, true, false);
  }

  private static long granted(Reply reply) {
    return ((Reply.Granted) reply).token();
  }

  @ParameterizedTest(name = "format {0}")
  @ValueSource(ints = {1})
  void isReadByThisVersion(int format) throws Exception {
    Path folder = root.resolve("n1");
    unpack("node-folder-" + format + ".zip", folder);

    for (int start = 1; start <= 2; start++) {
      try (StoreNode node = StoreNode.start(config(folder))) {
        Client client = new Client(10 + start);
        long index = client.open(node, TTL).index();
        List<LeaseReading> held = get(node.readAt(index), LIMIT).all().leases();
        assertThat(held)
            .extracting(each -> each.lease().name())
            .containsExactly("grüße", "in the log", "in the snapshot", "revoked");
        assertThat(held)
            .allSatisfy(
                each -> {
                  assertThat(each.lease().holder().session()).isEqualTo(HOLDER.id());
                  assertThat(each.remainingNanos()).isPositive();
                });
        assertThat(held)
            .extracting(each -> each.lease().queue().size())
            .containsExactly(0, 1, 1, 0);
        assertThat(held)
            .extracting(each -> each.lease().isRevoked())
            .containsExactly(false, false, false, true);
        long greatest = held.stream().mapToLong(each -> each.lease().token()).max().orElseThrow();
        assertThat(granted(client.call(node, acquire("new " + start, TTL, 1)).replies().get(0)))
            .isGreaterThan(greatest);
        client.call(node, new Command.Leave("new " + start, 1));
        get(node.snapshot(), LIMIT);
      }
    }
  }

  private static void unpack(String name, Path folder) throws IOException {
    try (InputStream resource = OldFolderIT.class.getResourceAsStream(name);
        ZipInputStream zip = new ZipInputStream(resource)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = folder.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(zip, target);
        }
      }
    }
  }
}
