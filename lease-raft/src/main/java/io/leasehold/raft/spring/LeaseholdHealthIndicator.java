package io.leasehold.raft.spring;

import io.leasehold.raft.NodeHealth;
import io.leasehold.store.StoreStatus;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether this node can serve: up when it does, with a warning when something is wrong all the
 * same. Waits for the answer.
 */
final class LeaseholdHealthIndicator extends AbstractHealthIndicator {

  /** Longer than it ever takes, unless no thread is left to bring the answer. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final Supplier<CompletionStage<NodeHealth>> node;

  LeaseholdHealthIndicator(Supplier<CompletionStage<NodeHealth>> node) {
    super("The health of this node could not be looked into");
    this.node = node;
  }

  @Override
  protected void doHealthCheck(Health.Builder health)
      throws InterruptedException, ExecutionException, TimeoutException {
    NodeHealth found =
        node.get().toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    StoreStatus status = found.status();
    health.withDetail("node", status.node()).withDetail("role", status.role());
    status.leader().ifPresent(leader -> health.withDetail("leader", leader));
    if (found.serves()) {
      health.up();
    } else {
      health.down();
    }
    if (found.state() != NodeHealth.State.READY) {
      health.withDetail(found.serves() ? "warning" : "reason", found.reason());
    }
  }
}
