package io.leasehold.raft;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.LeaseEvent;
import io.leasehold.LeaseException;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseLimits;
import io.leasehold.LeaseStatus;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import io.leasehold.store.LeaseReading;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The view for observers and operators. A read goes through the log first: Ratis' own linearizable
 * reads have been seen stale on a leader just cut off, so the answer to an empty command says how
 * far the local replica has to be, and then the local table is read. Safe for many threads.
 */
final class RaftInspector implements LeaseInspector {

  private final LeaseNode node;
  private final LeaseStore store;

  RaftInspector(LeaseNode node, LeaseStore store) {
    this.node = node;
    this.store = store;
  }

  @Override
  public CompletionStage<List<LeaseStatus>> list() {
    return read(reading -> reading.all().leases().stream().map(RaftInspector::status).toList());
  }

  @Override
  public CompletionStage<Optional<LeaseStatus>> find(String name) {
    checkName(name);
    return read(
        reading -> reading.find(name).leases().stream().map(RaftInspector::status).findFirst());
  }

  @Override
  public Subscription watch(String name, Consumer<LeaseEvent> observer) {
    checkName(name);
    checkObserver(observer);
    return ObserverFeed.open(node, store, Optional.of(name), observer);
  }

  @Override
  public Subscription watchAll(Consumer<LeaseEvent> observer) {
    checkObserver(observer);
    return ObserverFeed.open(node, store, Optional.empty(), observer);
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
    checkName(name);
    LeaseLimits.faultInReason(reason)
        .ifPresent(
            fault -> {
              throw new InvalidLeaseArgumentException("reason", fault);
            });
    return onCallbacks(
        node.request(
                new Command.Revoke(name, expectedToken, reason, unsafe),
                "the revocation of lease '" + name + "'",
                true)
            .thenApply(
                applied -> {
                  if (applied.reply() instanceof Reply.Refused refused) {
                    throw new LeaseUnavailableException(
                        "The store refused to revoke lease '%s': %s"
                            .formatted(name, refused.reason()));
                  }
                  return applied.reply() instanceof Reply.Revoked;
                }));
  }

  private <T> CompletionStage<T> read(Function<LeaseStore.Reading, T> reader) {
    return onCallbacks(
        node.request(LeaseNode.BARRIER, "a read of the leases", false)
            .thenCompose(applied -> store.readAt(applied.index()))
            .thenApplyAsync(reader, node.callbacks()));
  }

  /**
   * Brings the result to where the user's code may run, with no exception but the two of leases.
   */
  private <T> CompletionStage<T> onCallbacks(CompletableFuture<T> source) {
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<T> unused =
        source.whenComplete(
            (value, failure) ->
                node.complete(result, value, failure == null ? null : leaseException(failure)));
    return result;
  }

  private static LeaseException leaseException(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof LeaseException known
        ? known
        : new LeaseUnavailableException(
            "The leases could not be read: " + (cause == null ? failure : cause).getMessage(),
            cause);
  }

  private static LeaseStatus status(LeaseReading reading) {
    return new LeaseStatus(
        reading.lease().name(),
        reading.lease().holder().owner(),
        reading.lease().holder().node(),
        reading.lease().token(),
        Duration.ofNanos(reading.lease().ttlNanos()),
        Duration.ofNanos(reading.remainingNanos()),
        reading.lease().queue().size(),
        reading.lease().isRevoked());
  }

  private static void checkObserver(Consumer<LeaseEvent> observer) {
    if (observer == null) {
      throw new InvalidLeaseArgumentException("observer", "must not be null");
    }
  }

  private static void checkName(String name) {
    LeaseLimits.faultInName(name)
        .ifPresent(
            fault -> {
              throw new InvalidLeaseArgumentException("name", fault);
            });
  }
}
