package io.leasehold.harness.demo;

import io.leasehold.harness.process.LocalCluster;
import io.leasehold.harness.process.NodePlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plays scenes on three new processes, from their start to their end. */
final class Play {

  private final Narrator narrator;
  private final String name;

  /**
   * @param name for the temporary folder
   */
  Play(Narrator narrator, String name) {
    this.narrator = narrator;
    this.name = name;
  }

  /** What is played. */
  interface Script {

    /**
     * Plays it.
     *
     * @param folder a temporary one, for whatever else is needed
     */
    void play(Stage stage, Path folder);
  }

  /**
   * Plays it. However this process ends, no process stays behind. The temporary folder is removed,
   * unless something went wrong: then the narration names the logs in it.
   *
   * @return whether every promise held
   */
  boolean of(Script script) {
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
            name + "-clean-up");
    Runtime.getRuntime().addShutdownHook(cleanUpAtExit);
    boolean isPlayed = false;
    try {
      narrator.say("Three node processes start on this machine, with their data in " + folder);
      script.play(stage, folder);
      isPlayed = true;
    } catch (RuntimeException e) {
      if (!stage.isCancelled()) {
        stage.promise(false, "It could be played to its end", reason(e));
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
              + stage.logs().stream().map(Path::toString).collect(Collectors.joining(", ")));
    }
    narrator.end(stage.held(), stage.broken(), Stage.since(start));
    return allHeld;
  }

  private Path newFolder() {
    try {
      return Files.createTempDirectory("leasehold-" + name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a temporary folder", e);
    }
  }

  /** Deletes a folder and all that is in it. */
  static void remove(Path folder) {
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
