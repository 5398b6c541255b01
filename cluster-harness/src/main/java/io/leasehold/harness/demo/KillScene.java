package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.AcquireAnswer;
import io.leasehold.harness.wire.LeaseRow;
import java.time.Duration;

/** The holder's process dies without a word; the waiter gets the lease after its time to live. */
final class KillScene {

  private final Stage stage;

  KillScene(Stage stage) {
    this.stage = stage;
  }

  void play(ContentionScene.Outcome before) {
    stage.scene("kill", "The holder is killed");
    String lease = before.lease();
    String holder = before.holder();
    String waiter = before.waiter();

    // From before the look: what the store says is left counts from a later moment than this.
    long looked = System.nanoTime();
    LeaseRow row = NodeClient.await(stage.node(waiter).find(lease));
    Long left = row.remainingMillis();
    if (row.holder() == null || left == null || !row.holder().node().equals(holder)) {
      throw new SceneFailedException(lease + " is not held by " + Stage.who(holder));
    }
    stage.cluster().kill(holder);
    stage.say(
        "kill -9 %d: %s on %s is gone without a release. By the store's clock its lease has %s left."
            .formatted(
                stage.cluster().process(holder).pid(),
                Stage.owner(holder),
                holder,
                Figures.of(Duration.ofMillis(left))));

    AcquireAnswer granted = NodeClient.await(before.waiting());
    Duration took = Stage.since(looked);
    stage.promise(
        granted.acquired() && took.toMillis() >= left,
        "%s takes over after the time to live, and not before".formatted(Stage.who(waiter)),
        "after " + Figures.of(took));
    Long token = granted.fencingToken();
    stage.promise(
        token != null && token > before.token(),
        "The token has grown again, to %d: a resource refuses what the dead holder sent late"
            .formatted(token),
        "");

    long restarted = System.nanoTime();
    stage.cluster().restart(holder);
    stage.say(
        "%s is started again on its old folder and serves after %s."
            .formatted(holder, Figures.of(Stage.since(restarted))));
    stage.promise(
        !stage.isAlive(holder, lease),
        "Back again, %s does not believe in what it held before".formatted(Stage.who(holder)),
        "checkAlive() is false");
    boolean unusedReleased = stage.release(waiter, lease);
  }
}
