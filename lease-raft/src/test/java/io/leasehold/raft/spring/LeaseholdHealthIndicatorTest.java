package io.leasehold.raft.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.leasehold.LeaseInspector;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.memory.InMemoryLeases;
import io.leasehold.store.Member;
import io.leasehold.store.StoreStatus;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

final class LeaseholdHealthIndicatorTest {

  private static final StoreStatus SERVING =
      new StoreStatus(
          "n1",
          StoreStatus.Role.FOLLOWER,
          Optional.of("n2"),
          3,
          17,
          0,
          List.of(new Member("n1", "127.0.0.1", 7101), new Member("n2", "127.0.0.1", 7102)),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(new VirtualTime());
  private final InMemoryLeases leases = cluster.node("n1");

  private Health healthAt(StoreStatus status) {
    LeaseInspector inspector = leases.inspector();
    return new LeaseholdHealthIndicator(() -> status, inspector, Duration.ofMillis(100)).health();
  }

  private static StoreStatus with(
      Optional<String> leader,
      Optional<String> waitsFor,
      Optional<String> warning,
      Optional<String> failure) {
    return new StoreStatus(
        SERVING.node(),
        SERVING.role(),
        leader,
        SERVING.term(),
        SERVING.appliedIndex(),
        SERVING.leaseTimeNanos(),
        SERVING.members(),
        SERVING.listeners(),
        waitsFor,
        warning,
        failure);
  }

  private static void assertDown(Health health, String reason) {
    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
    assertThat(health.getDetails()).containsEntry("node", "n1").containsEntry("reason", reason);
  }

  @Test
  void nodeThatAMajorityAnswersIsUp() {
    Health health = healthAt(SERVING);

    assertThat(health.getStatus()).isEqualTo(Status.UP);
    assertThat(health.getDetails())
        .containsExactly(
            entry("node", "n1"), entry("role", StoreStatus.Role.FOLLOWER), entry("leader", "n2"));
  }

  @Test
  void warningIsToldWhileItServes() {
    Health health =
        healthAt(
            with(
                Optional.of("n2"),
                Optional.empty(),
                Optional.of("the disk is slow"),
                Optional.empty()));

    assertThat(health.getStatus()).isEqualTo(Status.UP);
    assertThat(health.getDetails()).containsEntry("warning", "the disk is slow");
  }

  @Test
  void nodeThatHasFailedIsDown() {
    assertDown(
        healthAt(
            with(
                Optional.of("n2"),
                Optional.empty(),
                Optional.empty(),
                Optional.of("the disk is full"))),
        "this node does not serve any more: the disk is full");
  }

  @Test
  void nodeThatHasToBeAddedIsDown() {
    assertDown(
        healthAt(
            with(
                Optional.of("n2"),
                Optional.of("add it on another node"),
                Optional.empty(),
                Optional.empty())),
        "this node does not serve yet: add it on another node");
  }

  @Test
  void nodeWithoutALeaderIsDown() {
    assertDown(
        healthAt(with(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty())),
        "no leader is known: n1 waits for a majority of its 2 members");
  }

  @Test
  void nodeThatTakesItselfForPartOfAMajorityIsDown() {
    cluster.disconnect("n1");

    assertDown(healthAt(SERVING), "no majority has answered within 100 ms");
  }

  @Test
  void nodeThatIsClosedIsDown() {
    leases.close();

    Health health = healthAt(SERVING);

    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
    assertThat(health.getDetails().get("reason")).asString().contains("closed");
  }
}
