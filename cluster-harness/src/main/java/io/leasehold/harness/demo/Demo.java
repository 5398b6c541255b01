package io.leasehold.harness.demo;

import io.leasehold.harness.process.LocalCluster;
import io.leasehold.harness.process.NodePlan;
import io.leasehold.harness.process.NodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The whole demonstration, from three new processes to their end. */
public final class Demo {

  private final Narrator narrator;

  public Demo(Narrator narrator) {
    this.narrator = narrator;
  }

  /**
   * Plays it. However this process ends, no process stays behind. The temporary folder is removed,
   * unless something went wrong: then the narration names the logs in it.
   *
   * @return whether every promise held
   */
  public boolean play() {
    long start = System.nanoTime();
    Path folder = newFolder();
    LocalCluster cluster = LocalCluster.of(LocalCluster.plan(folder, 3, NodePlan.SMALL_JVM));
    Stage stage = new Stage(cluster, narrator);
    Thread cleanUpAtExit =
        new Thread(
            () -> {
              stage.cancel();
              cluster.killAll();
              remove(folder);
            },
            "demo-clean-up");
    Runtime.getRuntime().addShutdownHook(cleanUpAtExit);
    boolean isPlayed = false;
    try {
      narrator.say("Three node processes start on this machine, with their data in " + folder);
      play(stage, cluster);
      isPlayed = true;
    } catch (RuntimeException e) {
      if (!stage.isCancelled()) {
        stage.promise(false, "The demonstration could be played to its end", reason(e));
      }
    } finally {
      cluster.close();
    }
    if (stage.isCancelled()) {
      return false;
    }
    Runtime.getRuntime().removeShutdownHook(cleanUpAtExit);
    boolean allHeld = isPlayed && stage.broken() == 0;
    if (allHeld) {
      remove(folder);
    } else {
      narrator.say(
          "What the nodes have to say about it: "
              + cluster.logs().stream().map(Path::toString).collect(Collectors.joining(", ")));
    }
    narrator.end(stage.held(), stage.broken(), Stage.since(start));
    return allHeld;
  }

  private static void play(Stage stage, LocalCluster cluster) {
    long start = System.nanoTime();
    cluster.startAll();
    Duration took = Stage.since(start);
    for (String id : cluster.ids()) {
      NodeProcess process = cluster.process(id);
      stage.say("%s is up: pid %d, %s".formatted(id, process.pid(), process.http().uri()));
    }
    stage.say(
        "%s leads the store. All three serve, %s after their start."
            .formatted(cluster.leader(), Figures.of(took)));

    ContentionScene.Outcome contention = new ContentionScene(stage).play();
    new KillScene(stage).play(contention);
    new PauseScene(stage).play();
    new LeaderScene(stage).play();
    new EndScene(stage).play();
  }

  private static Path newFolder() {
    try {
      return Files.createTempDirectory("leasehold-demo-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a temporary folder", e);
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + folder, e);
    }
  }

  private static String reason(RuntimeException e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
