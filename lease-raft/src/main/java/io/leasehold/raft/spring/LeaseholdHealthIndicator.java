package io.leasehold.raft.spring;

import io.leasehold.LeaseInspector;
import io.leasehold.store.StoreStatus;
import io.leasehold.time.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether this node can serve: up when a majority answers it now. That a leader is known is not
 * enough, for one that was cut off takes itself for the leader for a while. Waits for the answer.
 */
final class LeaseholdHealthIndicator extends AbstractHealthIndicator {

  private static final String PROBED_LEASE = "leasehold/health";

  private final Supplier<StoreStatus> status;
  private final LeaseInspector inspector;
  private final Duration answerWithin;

  LeaseholdHealthIndicator(
      Supplier<StoreStatus> status, LeaseInspector inspector, Duration answerWithin) {
    super("The health of this node could not be looked into");
    this.status = status;
    this.inspector = inspector;
    this.answerWithin = answerWithin;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) throws InterruptedException {
    StoreStatus now = status.get();
    health.withDetail("node", now.node()).withDetail("role", now.role());
    now.leader().ifPresent(leader -> health.withDetail("leader", leader));
    now.warning().ifPresent(warning -> health.withDetail("warning", warning));
    Optional<String> reason = reasonNotToServe(now);
    if (reason.isEmpty()) {
      reason = reasonNotToAnswer();
    }
    if (reason.isPresent()) {
      health.down().withDetail("reason", reason.get());
    } else {
      health.up();
    }
  }

  private static Optional<String> reasonNotToServe(StoreStatus now) {
    if (now.failure().isPresent()) {
      return Optional.of("this node does not serve any more: " + now.failure().get());
    }
    if (now.waitsFor().isPresent()) {
      return Optional.of("this node does not serve yet: " + now.waitsFor().get());
    }
    if (now.leader().isEmpty()) {
      return Optional.of(
          "no leader is known: %s waits for a majority of its %d members"
              .formatted(now.node(), now.members().size()));
    }
    return Optional.empty();
  }

  private Optional<String> reasonNotToAnswer() throws InterruptedException {
    try {
      var unusedFound =
          inspector
              .find(PROBED_LEASE)
              .toCompletableFuture()
              .get(answerWithin.toMillis(), TimeUnit.MILLISECONDS);
      return Optional.empty();
    } catch (TimeoutException e) {
      return Optional.of("no majority has answered within " + DurationText.of(answerWithin));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      return Optional.of(String.valueOf((cause == null ? e : cause).getMessage()));
    }
  }
}
