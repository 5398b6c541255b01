package io.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every resource that compares tokens has to do. */
final class FencingTest {

  private static final LeaseSettings PRINTER =
      LeaseSettings.of("printer", "a", Duration.ofSeconds(10)).withAcquireRetries(1);

  @TempDir private Path folder;

  private static long acquire(Lease lease) {
    assertThat(lease.acquire().toCompletableFuture().join()).isTrue();
    return lease.fencingToken().orElseThrow();
  }

  @Test
  void writeOfAHolderThatWasPausedPastItsTtlIsRefused() throws Exception {
    for (FencedResource resource : FencedResources.all(folder)) {
      try (resource) {
        VirtualTime time = new VirtualTime();
        InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
        Lease older = cluster.node("n1").lease(PRINTER);
        long token = acquire(older);
        assertThat(older.checkAlive()).isTrue();
        // Here, between the check and the write, the older holder stands still.
        cluster.pause("n1");
        time.advance(PRINTER.ttl().multipliedBy(2));
        long newer = acquire(cluster.node("n2").lease(PRINTER));
        resource.write(newer, "newer");
        cluster.resume("n1");

        assertThatThrownBy(() -> resource.write(token, "older"))
            .as("%s", resource)
            .isInstanceOfSatisfying(
                StaleTokenException.class,
                stale -> {
                  assertThat(stale.refused()).isEqualTo(token);
                  assertThat(stale.seen()).isEqualTo(newer);
                  assertThat(stale)
                      .hasMessageContaining(token + " ")
                      .hasMessageContaining(newer + " ");
                });

        assertThat(resource.read()).as("%s", resource).isEqualTo("newer");
        resource.write(newer, "again");
        assertThat(resource.read()).as("%s", resource).isEqualTo("again");
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void acceptedTokensNeverFall(long seed) throws Exception {
    for (FencedResource resource : FencedResources.all(folder)) {
      try (resource) {
        SplittableRandom random = new SplittableRandom(seed);
        long greatest = 0;
        String last = "";
        for (int i = 0; i < 25; i++) {
          long token = 1 + random.nextLong(greatest + 3);
          String word = "write " + i;

          boolean accepted = isAccepted(resource, token, word);

          assertThat(accepted)
              .as("%s, seed %d: token %d after %d", resource, seed, token, greatest)
              .isEqualTo(token >= greatest);
          last = accepted ? word : last;
          greatest = Math.max(greatest, token);
          assertThat(resource.read()).isEqualTo(last);
        }
      }
    }
  }

  private static boolean isAccepted(FencedResource resource, long token, String word)
      throws Exception {
    try {
      resource.write(token, word);
      return true;
    } catch (StaleTokenException stale) {
      return false;
    }
  }
}
