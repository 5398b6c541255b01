package io.leasehold.store;

import static io.leasehold.store.StoreCluster.LIMIT;
import static io.leasehold.store.StoreCluster.acquire;
import static io.leasehold.store.StoreCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.store.StoreCluster.Client;
import io.leasehold.store.core.Event;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member whose disk fails leaves the group to the others, and says why. */
final class DiskFailureIT {

  private static final Duration TTL = Duration.ofMinutes(5);

  /** Threads of Ratis end by an exception when the log is closed under them. */
  @BeforeAll
  static void expectFailingThreads() {
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
  }

  @AfterAll
  static void expectNoneAgain() {
    Awaitility.reset();
  }

  @TempDir Path root;
  private final AtomicLong names = new AtomicLong();

  @Test
  void aLeaderThatCannotWriteItsLogLeavesTheGroup() throws Exception {
    try (StoreCluster cluster = StoreCluster.start(root)) {
      Client client = new Client(1);
      client.open(cluster.leader(), TTL);
      StoreNode failing = cluster.follower();
      failAtNextSegment(cluster, failing);

      // It begins a segment with its first entry in the term in which it leads.
      var unused = cluster.leader().transferLeadership(failing.node());

      assertHasLeft(cluster, failing, "start it again");
    }
  }

  @Test
  void aFollowerThatCannotWriteItsLogLeavesTheGroup() throws Exception {
    try (StoreCluster cluster = StoreCluster.start(root)) {
      Client client = new Client(1);
      client.open(cluster.leader(), TTL);
      StoreNode failing = cluster.follower();
      StoreNode next =
          cluster.nodes().stream()
              .filter(node -> node != failing && node != cluster.leader())
              .findFirst()
              .orElseThrow();
      failAtNextSegment(cluster, failing);

      assertThat(get(cluster.leader().transferLeadership(next.node()), LIMIT)).isTrue();

      assertHasLeft(cluster, failing, "start it again");
    }
  }

  @Test
  void aLeaderWhoseDiskIsFullLeavesTheGroupAndComesBackWhenThereIsRoom() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(root.resolve("n1"));
        StoreCluster cluster = StoreCluster.start(root)) {
      cluster.leader();
      assertThat(get(cluster.node("n2").transferLeadership("n1"), LIMIT)).isTrue();
      StoreNode full = cluster.node("n1");
      Path ballast = disk.folder().resolve("ballast");
      fill(ballast);

      // What was allocated to the open segment before can still be written.
      Client client = new Client(1);
      client.open(cluster.node("n2"), TTL);
      await("the disk is noticed")
          .atMost(LIMIT.multipliedBy(2))
          .until(
              () -> {
                for (int i = 0; i < 20; i++) {
                  client.call(
                      cluster.node("n2"), acquire("x".repeat(400) + names.get(), TTL, names.get()));
                  names.incrementAndGet();
                }
                return full.status().failure().isPresent();
              });

      assertHasLeft(cluster, full, "this member cannot");
      assertThat(full.status().failure().orElseThrow())
          .contains("is full, make room on it and start this node again");
      cluster.stop("n1");
      assertThatThrownBy(() -> cluster.start("n1"))
          .isInstanceOf(StoreStartException.class)
          .hasMessageContaining("is full");
      Files.delete(ballast);
      StoreNode back = cluster.start("n1");
      cluster.awaitSameIndex(back, cluster.leader());
    }
  }

  /** Ratis then has an empty file in the place of the vote. */
  @Test
  void aMemberThatCannotWriteItsVoteLeavesTheGroupAndComesBackWhenThereIsRoom() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(root.resolve("n1"));
        StoreCluster cluster = StoreCluster.start(root)) {
      long opened = new Client(1).open(cluster.leader(), TTL).index();
      assertThat(get(cluster.node("n1").transferLeadership("n2"), LIMIT)).isTrue();
      StoreNode full = cluster.node("n1");
      get(full.readAt(opened), LIMIT);
      List<Path> ballast = new ArrayList<>();

      await("the full disk is noticed")
          .atMost(LIMIT.multipliedBy(2))
          .until(
              () -> {
                // What has been deleted since is room again.
                ballast.add(disk.folder().resolve("ballast-" + ballast.size()));
                fill(ballast.get(ballast.size() - 1));
                // It votes in the term in which this one is to lead.
                String next = ballast.size() % 2 == 1 ? "n3" : "n2";
                get(cluster.node("n2").transferLeadership(next), LIMIT);
                return full.status().failure().isPresent();
              });

      assertHasLeft(cluster, full, "this member cannot"); // Its table may come first.
      cluster.stop("n1");
      long term = full.status().term();
      for (Path each : ballast) {
        Files.deleteIfExists(each);
      }
      StoreNode back = cluster.start("n1");
      assertThat(back.status().term()).isGreaterThanOrEqualTo(term);
      cluster.awaitSameIndex(back, cluster.leader());
    }
  }

  /** Ratis would let who has asked for it wait. */
  @Test
  void aSnapshotThatFailsIsAnsweredAtOnceAndWatchersAreTold() throws Exception {
    try (StoreCluster cluster = StoreCluster.start(root)) {
      StoreNode failing = cluster.follower();
      long opened = new Client(1).open(cluster.leader(), TTL).index();
      get(failing.readAt(opened), LIMIT);
      Path snapshots;
      try (Stream<Path> all = Files.walk(cluster.folder(failing.node()))) {
        snapshots = all.filter(path -> path.endsWith("sm")).findFirst().orElseThrow();
      }
      CompletableFuture<String> told = new CompletableFuture<>();
      failing.watch(new UntilStopped(told));
      Files.delete(snapshots);
      Files.writeString(snapshots, "not a folder");

      assertThatThrownBy(() -> get(failing.snapshot(), Duration.ofSeconds(3)))
          .cause()
          .isInstanceOf(ProposeException.class)
          .hasMessageContaining("this member cannot take a snapshot");

      assertThat(get(told, LIMIT)).contains("this member cannot take a snapshot");
      CompletableFuture<String> toldLater = new CompletableFuture<>();
      failing.watch(new UntilStopped(toldLater));
      assertThat(toldLater).isDone();
      assertHasLeft(cluster, failing, "this member cannot take a snapshot");
    }
  }

  private record UntilStopped(CompletableFuture<String> why) implements LeaseStore.Watcher {

    @Override
    public void applied(long index, List<Event> events) {}

    @Override
    public void replaced(long index) {}

    @Override
    public void stopped(String reason) {
      why.complete(reason);
    }
  }

  private static void assertHasLeft(StoreCluster cluster, StoreNode failed, String why) {
    await(failed.node() + " has failed")
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> failed.status().failure().isPresent());
    assertThat(failed.status().failure().orElseThrow()).contains(why);
    assertThat(failed.status().role()).isEqualTo(StoreStatus.Role.FOLLOWER);
    assertThat(failed.status().leader()).isEmpty();
    assertThatThrownBy(() -> get(failed.propose(new Client(7).batch(), 0), Duration.ofSeconds(1)))
        .cause()
        .isInstanceOfSatisfying(
            ProposeException.class, e -> assertThat(e.certainlyNotApplied()).isTrue())
        .hasMessageContaining(why);
    await("the others have a leader of their own")
        .atMost(LIMIT)
        .until(
            () ->
                cluster.nodes().stream()
                    .filter(node -> node != failed)
                    .allMatch(
                        node ->
                            node.status()
                                .leader()
                                .filter(id -> !id.equals(failed.node()))
                                .isPresent()));
    Client other = new Client(8);
    for (StoreNode node : cluster.nodes()) {
      if (node != failed) {
        other.open(node, TTL);
      }
    }
  }

  /** Takes the names of its next segments, so that their files cannot be made. */
  private static void failAtNextSegment(StoreCluster cluster, StoreNode node) throws IOException {
    cluster.awaitSameIndex(node, cluster.leader());
    Path current;
    try (Stream<Path> all = Files.walk(cluster.folder(node.node()))) {
      current = all.filter(file -> file.endsWith("current")).findFirst().orElseThrow();
    }
    long next = node.status().appliedIndex() + 1;
    for (long index = next; index < next + 100; index++) {
      Files.createDirectories(current.resolve("log_inprogress_" + index));
    }
  }

  /** A disk that is soon full. */
  private record SmallDisk(Path folder) implements AutoCloseable {

    static SmallDisk mount(Path folder) throws Exception {
      Files.createDirectories(folder);
      assumeThat(run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder.toString()))
          .as("only root can mount a small disk")
          .isZero();
      return new SmallDisk(folder);
    }

    @Override
    public void close() {
      assertThatCode(() -> assertThat(run("umount", "-l", folder.toString())).isZero())
          .doesNotThrowAnyException();
    }
  }

  private static void fill(Path ballast) throws IOException {
    try (OutputStream out = Files.newOutputStream(ballast)) {
      while (true) {
        out.write(new byte[4096]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static int run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
