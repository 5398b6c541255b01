package io.leasehold.raft.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.leasehold.raft.NodeHealth;
import io.leasehold.store.Member;
import io.leasehold.store.StoreStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

final class LeaseholdHealthIndicatorTest {

  private static final StoreStatus STATUS =
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
          Map.of(),
          Optional.empty());

  private static Health shown(NodeHealth.State state, String... reasons) {
    NodeHealth found = new NodeHealth(state, List.of(reasons), STATUS);
    return new LeaseholdHealthIndicator(() -> CompletableFuture.completedFuture(found)).health();
  }

  @Test
  void nodeThatIsReadyIsUp() {
    Health health = shown(NodeHealth.State.READY);

    assertThat(health.getStatus()).isEqualTo(Status.UP);
    assertThat(health.getDetails())
        .containsExactly(
            entry("node", "n1"), entry("role", StoreStatus.Role.FOLLOWER), entry("leader", "n2"));
  }

  @Test
  void nodeThatServesIsUpWithItsWarnings() {
    Health health = shown(NodeHealth.State.DEGRADED, "the disk is slow", "n3 is silent");

    assertThat(health.getStatus()).isEqualTo(Status.UP);
    assertThat(health.getDetails()).containsEntry("warning", "the disk is slow; n3 is silent");
  }

  @Test
  void nodeThatDoesNotServeIsDownWithTheReason() {
    Health health = shown(NodeHealth.State.NOT_SERVING, "no leader is known");

    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
    assertThat(health.getDetails())
        .containsEntry("node", "n1")
        .containsEntry("reason", "no leader is known");
  }

  @Test
  void nodeThatCannotBeLookedIntoIsDown() {
    Health health =
        new LeaseholdHealthIndicator(
                () -> CompletableFuture.failedFuture(new IllegalStateException("gone")))
            .health();

    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
  }
}
