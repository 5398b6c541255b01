package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaseSettings;
import io.leasehold.memory.InMemoryCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration's leader election on leases. Real time, for it sleeps between heartbeats. */
@Timeout(10)
final class LeaderInitiatorTest {

  private static final LeaseSettings SETTINGS =
      LeaseSettings.of("leaders/", "app", Duration.ofSeconds(1));

  private final InMemoryCluster cluster = InMemoryCluster.inRealTime();
  private final List<String> story = new CopyOnWriteArrayList<>();
  private final LockRegistryLeaderInitiator first = initiator("n1");
  private final LockRegistryLeaderInitiator second = initiator("n2");

  @AfterEach
  void stop() {
    first.destroy();
    second.destroy();
    cluster.close();
  }

  private LockRegistryLeaderInitiator initiator(String node) {
    LockRegistryLeaderInitiator initiator =
        new LockRegistryLeaderInitiator(
            new LeaseLockRegistry(cluster.node(node), SETTINGS), new Storyteller(node));
    initiator.setApplicationEventPublisher(event -> {});
    initiator.setHeartBeatMillis(20);
    initiator.setBusyWaitMillis(300);
    return initiator;
  }

  private void startBoth() {
    first.start();
    awaitLeader(first);
    second.start();
  }

  private static void awaitLeader(LockRegistryLeaderInitiator initiator) {
    await("it leads").until(() -> initiator.getContext().isLeader());
  }

  /** In any order: a leader unlocks before it tells its candidate. */
  private void awaitStory(String... events) {
    await("the story").untilAsserted(() -> assertThat(story).containsExactlyInAnyOrder(events));
  }

  @Test
  void leaderThatYieldsIsFollowedByTheOther() {
    startBoth();

    first.getContext().yield();

    awaitLeader(second);
    awaitStory("n1 granted", "n1 revoked", "n2 granted");
  }

  @Test
  void leaderThatStopsIsFollowedByTheOther() {
    startBoth();

    first.stop();

    awaitLeader(second);
    awaitStory("n1 granted", "n1 revoked", "n2 granted");
  }

  @Test
  void leaderThatIsCutOffIsRevokedAndLeadsAgainLater() {
    startBoth();

    cluster.disconnect("n1");
    awaitLeader(second);
    awaitStory("n1 granted", "n1 revoked", "n2 granted");
    cluster.reconnect("n1");
    second.stop();

    awaitLeader(first);
    awaitStory("n1 granted", "n1 revoked", "n2 granted", "n2 revoked", "n1 granted");
  }

  /** Tells what becomes of its candidacy. */
  private final class Storyteller implements Candidate {

    private final String node;

    Storyteller(String node) {
      this.node = node;
    }

    @Override
    public String getRole() {
      return "coordinator";
    }

    @Override
    public String getId() {
      return node;
    }

    @Override
    public void onGranted(Context context) {
      story.add(node + " granted");
    }

    @Override
    public void onRevoked(Context context) {
      story.add(node + " revoked");
    }
  }
}
