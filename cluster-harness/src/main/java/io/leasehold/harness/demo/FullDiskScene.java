package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A node's disk fills up: it says so and leaves the others to it; then there is room again. */
final class FullDiskScene {

  private static final Duration NOTICED_MAX = Duration.ofMinutes(1);
  private static final int DISK_MEGABYTES = 96;

  private final Stage stage;
  private final Holdings holdings;

  FullDiskScene(Stage stage) {
    this.stage = stage;
    this.holdings = new Holdings(stage);
  }

  void play() {
    stage.scene("full-disk", "A node's disk fills up");
    List<String> nodes = stage.leaderLast();
    String full = nodes.get(nodes.size() - 1);
    List<String> others = nodes.subList(0, nodes.size() - 1);
    Path store = stage.cluster().plan(full).store();
    moveToSmallDisk(full, store);
    try {
      others.forEach(holdings::acquire);
      play(full, others, store);
    } finally {
      stage.cluster().kill(full);
      run("umount", "-l", store.toString());
    }
  }

  private void play(String full, List<String> others, Path store) {
    try (Load load = Load.on(stage)) {
      long start = System.nanoTime();
      Path ballast = store.resolve("ballast");
      fill(ballast);
      stage.say("The disk of %s is full. Callers cycle on all nodes.".formatted(full));
      String said = awaitStopped(full);
      stage.promise(
          said.contains("full"),
          full + " says what is wrong, and serves nobody rather than lying",
          "after " + Figures.of(Stage.since(start)));
      stage.say("It says: " + said);
      holdings.promiseHeld(others);

      stage.cluster().kill(full);
      delete(ballast);
      long again = System.nanoTime();
      stage.cluster().restart(full);
      stage.promise(
          true,
          "There is room again, and %s, started anew, serves".formatted(full),
          "after " + Figures.of(Stage.since(again)));
      holdings.promiseHeld(others);
      load.promiseServed();
    }
    holdings.acquire(full);
    stage.promiseSame(stage.cluster().ids());
  }

  /** The node is stopped, and started again with what it had on a disk of its own. */
  private void moveToSmallDisk(String node, Path store) {
    stage.cluster().process(node).terminate();
    int unused = stage.cluster().process(node).awaitExit(Stage.START_MAX);
    Path aside = store.resolveSibling("aside");
    try {
      Files.move(store, aside);
      Files.createDirectories(store);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make room for a small disk", e);
    }
    if (run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MEGABYTES + "m", "tmpfs", store.toString())
        != 0) {
      throw new SceneFailedException(
          "a small disk cannot be mounted here: this drill has to run as root, on Linux");
    }
    run("cp", "-a", aside + "/.", store.toString());
    stage.cluster().restart(node);
    stage.say("%s has its data on a small disk, of %d MB.".formatted(node, DISK_MEGABYTES));
  }

  private static int run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().transferTo(OutputStream.nullOutputStream());
      return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : 1;
    } catch (IOException e) {
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private static void fill(Path ballast) {
    byte[] zeros = new byte[64 << 10];
    try (OutputStream out = Files.newOutputStream(ballast)) {
      while (true) {
        out.write(zeros);
      }
    } catch (IOException e) {
      // Full, as it should be.
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + file, e);
    }
  }

  /** What the node says of itself once it has stopped. */
  private String awaitStopped(String node) {
    return Patience.until(
        node + " to notice that its disk is full",
        NOTICED_MAX,
        () -> {
          try {
            return Optional.ofNullable(NodeClient.await(stage.node(node).status()).failure());
          } catch (NodeCallException e) {
            return Optional.empty();
          }
        });
  }
}
