package io.leasehold.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.etcd.jetcd.lease.LeaseRevokeResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.holder.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A claim whose identity is an etcd lease of its own. The key is written with it, so revoking it
 * frees what it has, leaves every other claim's key alone, and makes a write that is still on its
 * way fail: etcd attaches nothing to a lease that is not there. Safe for many threads.
 */
final class EtcdClaim implements Claim {

  private static final long NONE = 0;

  private final Client client;
  private final ByteSequence key;
  private final LeaseSettings settings;

  @GuardedBy("this")
  private long etcdLease = NONE;

  @GuardedBy("this")
  private boolean givenBack;

  EtcdClaim(Client client, ByteSequence key, LeaseSettings settings) {
    this.client = client;
    this.key = key;
    this.settings = settings;
  }

  // --- Asking ---------------------------------------------------------------------------------

  @Override
  public CompletionStage<OptionalLong> ask() {
    return client
        .getKVClient()
        .get(key)
        .exceptionally(
            failure -> {
              throw nothingWritten(failure);
            })
        .thenCompose(
            found ->
                found.getKvs().isEmpty()
                    ? askForFreeKey()
                    : CompletableFuture.completedFuture(OptionalLong.empty()));
  }

  private CompletableFuture<OptionalLong> askForFreeKey() {
    return client
        .getLeaseClient()
        .grant(wholeSeconds(settings.ttl()))
        .exceptionally(
            failure -> {
              throw nothingWritten(failure);
            })
        .thenCompose(this::write);
  }

  /** etcd counts in whole seconds: rounded up, it lets go after the holder in any case. */
  private static long wholeSeconds(Duration ttl) {
    return ttl.plusSeconds(1).minusNanos(1).toSeconds();
  }

  private static LeaseUnavailableException nothingWritten(Throwable failure) {
    return new LeaseUnavailableException(
        "etcd did not answer, and was asked for nothing yet", failure);
  }

  private CompletableFuture<OptionalLong> write(LeaseGrantResponse granted) {
    synchronized (this) {
      if (givenBack) {
        // It runs out by itself.
        throw new LeaseUnavailableException("it was given back while it was being acquired");
      }
      etcdLease = granted.getID();
    }
    ByteSequence owner = ByteSequence.from(settings.owner(), UTF_8);
    PutOption withLease = PutOption.builder().withLeaseId(granted.getID()).build();
    return client
        .getKVClient()
        .txn()
        .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0)))
        .Then(Op.put(key, owner, withLease))
        .Else(Op.get(key, GetOption.DEFAULT))
        .commit()
        .thenApply(answer -> token(granted.getID(), answer));
  }

  private OptionalLong token(long itsLease, TxnResponse answer) {
    if (answer.isSucceeded()) {
      return OptionalLong.of(answer.getHeader().getRevision());
    }
    // The client may have sent the write twice, and been told of the second one.
    List<KeyValue> found = answer.getGetResponses().get(0).getKvs();
    OptionalLong own = tokenOf(itsLease, found);
    if (own.isEmpty()) {
      CompletionStage<LeaseRevokeResponse> unusedForItRunsOutByItself =
          client.getLeaseClient().revoke(itsLease);
    }
    return own;
  }

  private static OptionalLong tokenOf(long itsLease, List<KeyValue> found) {
    return found.stream()
        .filter(entry -> entry.getLease() == itsLease)
        .mapToLong(KeyValue::getCreateRevision)
        .findFirst();
  }

  // --- Keeping --------------------------------------------------------------------------------

  /** A key can be deleted without its etcd lease, so it is looked at, too. */
  @Override
  public CompletionStage<Optional<LeaseLost.Reason>> renew() {
    long itsLease = etcdLease();
    return client
        .getLeaseClient()
        .keepAliveOnce(itsLease)
        .thenCompose(renewed -> client.getKVClient().get(key))
        .handle(
            (found, failure) -> {
              if (failure != null) {
                return lostIfGone(failure);
              }
              return tokenOf(itsLease, found.getKvs()).isPresent()
                  ? Optional.empty()
                  : Optional.of(LeaseLost.Reason.REVOKED);
            });
  }

  private static Optional<LeaseLost.Reason> lostIfGone(Throwable failure) {
    if (saysThatItIsGone(failure)) {
      return Optional.of(LeaseLost.Reason.EXPIRED);
    }
    throw new CompletionException(failure);
  }

  // --- Giving back ----------------------------------------------------------------------------

  @Override
  public CompletionStage<Void> giveBack() {
    synchronized (this) {
      givenBack = true;
    }
    long itsLease = etcdLease();
    if (itsLease == NONE) {
      return CompletableFuture.completedFuture(null);
    }
    return client
        .getLeaseClient()
        .revoke(itsLease)
        .handle(
            (revoked, failure) -> {
              if (failure != null && !saysThatItIsGone(failure)) {
                throw new CompletionException(failure);
              }
              return null;
            });
  }

  private synchronized long etcdLease() {
    return etcdLease;
  }

  private static boolean saysThatItIsGone(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return EtcdExceptionFactory.toEtcdException(cause).getErrorCode() == ErrorCode.NOT_FOUND;
  }
}
