package io.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseStatus;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.time.VirtualTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.coordination.lease.javadsl.Lease;
import org.junit.jupiter.api.Test;

/** What happens to leases when an actor system ends. */
final class SystemLeasesTest {

  private static final String A = "shop@10.0.0.1:17355";

  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(new VirtualTime());

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }

  private List<String> stored() {
    return join(cluster.node("observer").inspector().list()).stream()
        .map(LeaseStatus::name)
        .toList();
  }

  /** CASES.md, 79. */
  @Test
  void coordinatedShutdownWaitsForTheReleasesUnderWay() throws InterruptedException {
    PekkoNode node = PekkoNode.start(cluster.node("n1"), "");
    Lease lease = node.lease("printer", A);
    assertThat(join(lease.acquire())).isTrue();
    cluster.disconnect("n1");
    CompletableFuture<Boolean> released = lease.release().toCompletableFuture();
    CountDownLatch terminating = new CountDownLatch(1);
    CoordinatedShutdown.get(node.system())
        .addTask(
            CoordinatedShutdown.PhaseActorSystemTerminate(),
            "tell-the-test",
            () -> {
              terminating.countDown();
              return CompletableFuture.completedStage(Done.getInstance());
            });

    CompletionStage<Done> ended = node.shutDown();
    assertThat(terminating.await(200, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(released).isNotDone();
    cluster.reconnect("n1");

    assertThat(terminating.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(released).isCompletedWithValue(true);
    assertThat(join(ended)).isEqualTo(Done.getInstance());
    assertThat(stored()).isEmpty();
  }

  @Test
  void systemThatHasEndedHoldsNothing() {
    LeaseProvider leases = cluster.node("n1");
    PekkoNode node = PekkoNode.start(leases, "");
    List<Object> losses = new CopyOnWriteArrayList<>();
    assertThat(join(node.lease("printer", A).acquire(losses::add))).isTrue();
    assertThat(join(node.lease("scanner", A).acquire())).isTrue();

    node.close();

    assertThat(stored()).as("though the provider lives on").isEmpty();
    assertThat(losses).isEmpty();
  }

  @Test
  void applicationClosesItsProviderWhenTheClusterHasShutDown() {
    LeaseProvider leases = cluster.node("n1");
    Config config = PekkoNode.quiet("");

    // The lines of package-info.
    ActorSystem system =
        ActorSystem.create("shop", BootstrapSetup.create(config).and(LeaseholdSetup.of(leases)));
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "close-leases",
            () ->
                CompletableFuture.supplyAsync(
                    () -> {
                      leases.close();
                      return Done.getInstance();
                    }));
    Lease lease =
        org.apache.pekko.coordination.lease.javadsl.LeaseProvider.get(system)
            .getLease("printer", "leasehold.pekko", A);
    assertThat(join(lease.acquire())).isTrue();

    Done unusedEnd =
        join(CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.unknownReason()));

    assertThat(lease.checkLease()).isFalse();
    assertThat(stored()).isEmpty();
  }
}
