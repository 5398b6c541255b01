package io.leasehold.kubernetes;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.holder.Claim;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A claim whose identity is the holder's identity in the object: the owner, and a part that no
 * other claim has. Every write is bound to the version that was read, and what conflicts is read
 * again. Its requests block, so they run on an executor, one at a time. Safe for many threads.
 */
final class KubernetesClaim implements Claim {

  private static final int CONFLICTS_MAX = 10;

  private final LeaseObject object;
  private final Observations observations;
  private final LeaseSettings settings;
  private final Executor executor;
  private final String identity;

  @GuardedBy("this")
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

  private volatile boolean givenBack;

  /** As it was written last. Confined to the requests, which run one at a time. */
  private LeaseObject.@Nullable State written;

  KubernetesClaim(
      LeaseObject object, Observations observations, LeaseSettings settings, Executor executor) {
    this.object = object;
    this.observations = observations;
    this.settings = settings;
    this.executor = executor;
    this.identity = settings.owner() + "_" + UUID.randomUUID();
  }

  private synchronized <R> CompletableFuture<R> inTurn(Supplier<R> request) {
    CompletableFuture<R> answer = last.handleAsync((before, failure) -> request.get(), executor);
    last = answer;
    return answer;
  }

  // --- Asking ---------------------------------------------------------------------------------

  @Override
  public CompletionStage<OptionalLong> ask() {
    return inTurn(this::askNow);
  }

  private OptionalLong askNow() {
    Optional<LeaseObject.State> found = readFirst();
    for (int conflicts = 0; conflicts < CONFLICTS_MAX; conflicts++) {
      if (found.isPresent() && found.get().isHeldBy(identity)) {
        // The client may have sent the write twice, and been told of the second one.
        return granted(found.get());
      }
      if (found.isPresent() && isHeldByOther(found.get())) {
        return OptionalLong.empty();
      }
      if (givenBack) {
        throw new LeaseUnavailableException("it was given back while it was being acquired");
      }
      Optional<LeaseObject.State> mine =
          found.isPresent()
              ? object.grant(found.get(), identity, settings.ttl())
              : object.create(identity, settings.ttl());
      if (mine.isPresent()) {
        return granted(mine.get());
      }
      found = object.read();
    }
    throw tooManyConflicts();
  }

  private Optional<LeaseObject.State> readFirst() {
    try {
      return object.read();
    } catch (KubernetesClientException failure) {
      throw new LeaseUnavailableException(
          "Kubernetes did not answer, and was asked for nothing yet", failure);
    }
  }

  private boolean isHeldByOther(LeaseObject.State found) {
    return found.holder().isPresent()
        && !observations.hasStood(settings.name(), found.version(), found.ttl());
  }

  private OptionalLong granted(LeaseObject.State mine) {
    written = mine;
    observations.forget(settings.name());
    return OptionalLong.of(mine.transitions());
  }

  // --- Keeping --------------------------------------------------------------------------------

  @Override
  public CompletionStage<Optional<LeaseLost.Reason>> renew() {
    return inTurn(this::renewNow);
  }

  private Optional<LeaseLost.Reason> renewNow() {
    Optional<LeaseObject.State> found = Optional.ofNullable(written);
    for (int conflicts = 0; conflicts < CONFLICTS_MAX; conflicts++) {
      if (found.isEmpty() || !found.get().isHeldBy(identity)) {
        boolean taken = found.flatMap(LeaseObject.State::holder).isPresent();
        return Optional.of(taken ? LeaseLost.Reason.TAKEN_OVER : LeaseLost.Reason.REVOKED);
      }
      Optional<LeaseObject.State> renewed = object.renew(found.get());
      if (renewed.isPresent()) {
        written = renewed.get();
        return Optional.empty();
      }
      found = object.read();
    }
    throw tooManyConflicts();
  }

  // --- Giving back ----------------------------------------------------------------------------

  /**
   * A request that the client has given up may still reach Kubernetes after it. Nobody renews what
   * that gets, so it ends with the time to live.
   */
  @Override
  public CompletionStage<Void> giveBack() {
    givenBack = true;
    return inTurn(this::giveBackNow).thenAccept(done -> {});
  }

  private boolean giveBackNow() {
    for (int conflicts = 0; conflicts < CONFLICTS_MAX; conflicts++) {
      Optional<LeaseObject.State> found = object.read();
      if (found.isEmpty()
          || !found.get().isHeldBy(identity)
          || object.free(found.get()).isPresent()) {
        return true;
      }
    }
    throw tooManyConflicts();
  }

  private IllegalStateException tooManyConflicts() {
    return new IllegalStateException(
        "the object of lease " + settings.name() + " is being changed all the time");
  }
}
