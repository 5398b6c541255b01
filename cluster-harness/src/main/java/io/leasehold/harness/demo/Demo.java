package io.leasehold.harness.demo;

import io.leasehold.harness.process.LocalCluster;
import io.leasehold.harness.process.NodeProcess;
import java.time.Duration;

/** The whole demonstration, from three new processes to their end. */
public final class Demo {

  private final Narrator narrator;

  public Demo(Narrator narrator) {
    this.narrator = narrator;
  }

  /**
   * Plays it. However this process ends, no process stays behind.
   *
   * @return whether every promise held
   */
  public boolean play() {
    return new Play(narrator, "demo").of((stage, folder) -> play(stage));
  }

  private static void play(Stage stage) {
    start(stage);
    ContentionScene.Outcome contention = new ContentionScene(stage).play();
    new KillScene(stage).play(contention);
    new PauseScene(stage).play();
    new LeaderScene(stage).play();
    new EndScene(stage).play();
  }

  /** Starts all nodes, and tells which they are. */
  static void start(Stage stage) {
    LocalCluster cluster = stage.cluster();
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
  }
}
