package io.leasehold.memory;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.LeaseEvent;
import io.leasehold.LeaseException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseLimits;
import io.leasehold.LeaseStatus;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import io.leasehold.time.DurationText;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The view of the store from one node. Safe for many threads. */
final class MemoryInspector implements LeaseInspector {

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String SILENCE = "the store did not answer within " + DurationText.of(LIMIT);

  private final Node node;

  MemoryInspector(Node node) {
    this.node = node;
  }

  @Override
  public CompletionStage<List<LeaseStatus>> list() {
    return ask(
        () -> node.store().rules().all().stream().map(this::status).toList(),
        () -> new LeaseUnavailableException(SILENCE));
  }

  @Override
  public CompletionStage<Optional<LeaseStatus>> find(String name) {
    requireName(name);
    return ask(
        () -> node.store().rules().find(name).map(this::status),
        () -> new LeaseUnavailableException(SILENCE));
  }

  @Override
  public Subscription watch(String name, Consumer<LeaseEvent> observer) {
    requireName(name);
    return watch(Optional.of(name), observer);
  }

  @Override
  public Subscription watchAll(Consumer<LeaseEvent> observer) {
    return watch(Optional.empty(), observer);
  }

  @Override
  public CompletionStage<Boolean> revoke(String name, long expectedToken, String reason) {
    return revoke(name, expectedToken, reason, false);
  }

  @Override
  public CompletionStage<Boolean> revokeUnsafely(String name, long expectedToken, String reason) {
    return revoke(name, expectedToken, reason, true);
  }

  private CompletionStage<Boolean> revoke(
      String name, long expectedToken, String reason, boolean unsafe) {
    requireName(name);
    LeaseLimits.faultInReason(reason)
        .ifPresent(
            fault -> {
              throw new InvalidLeaseArgumentException("reason", fault);
            });
    return ask(
        () -> node.store().rules().revoke(name, expectedToken, reason, unsafe),
        () -> new LeaseIndeterminateException(SILENCE));
  }

  private Subscription watch(Optional<String> name, Consumer<LeaseEvent> observer) {
    if (observer == null) {
      throw new InvalidLeaseArgumentException("observer", "must not be null");
    }
    Watch watch = new Watch(node, name, observer);
    node.store().run(() -> node.add(watch));
    return watch;
  }

  private <R> CompletionStage<R> ask(Supplier<R> question, Supplier<LeaseException> silence) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    node.store().run(() -> ask(question, silence, answer));
    return answer;
  }

  private <R> void ask(
      Supplier<R> question, Supplier<LeaseException> silence, CompletableFuture<R> answer) {
    Optional<LeaseUnavailableException> refusal = node.refusal();
    if (refusal.isPresent()) {
      node.later(() -> answer.completeExceptionally(refusal.get()));
      return;
    }
    Timer.Cancellable unusedWithdrawal =
        node.send(
            question,
            result -> node.later(() -> answer.complete(result)),
            LIMIT,
            () -> node.later(() -> answer.completeExceptionally(silence.get())));
  }

  private LeaseStatus status(StoredLease lease) {
    return new LeaseStatus(
        lease.name(),
        lease.claim().owner(),
        lease.claim().session().node().name(),
        lease.token(),
        Duration.ofNanos(lease.claim().ttlNanos()),
        Duration.ofNanos(Math.max(0, lease.expiryNanos() - node.nanos())),
        lease.queue().size(),
        lease.revokedUntilNanos().isPresent());
  }

  private static void requireName(String name) {
    LeaseLimits.faultInName(name)
        .ifPresent(
            fault -> {
              throw new InvalidLeaseArgumentException("name", fault);
            });
  }
}
