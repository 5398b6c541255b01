package io.leasehold.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Without waiting it creates a key if there is none, which is the fastest way that etcd has. With
 * waiting it uses etcd's lock service, which has a queue; there a contender is told apart by its
 * etcd lease, so each needs one of its own.
 */
final class EtcdContender implements NumberedContender {

  private final Client client;
  private final ByteSequence key;
  private final ByteSequence owner;
  private final EtcdLease shared;
  private final Supplier<EtcdLease> newLease;
  private volatile long number;
  private @Nullable EtcdLease own;
  private @Nullable ByteSequence queuedKey;

  /**
   * @param newLease grants an etcd lease for the queue
   */
  EtcdContender(
      Client client, String key, String owner, EtcdLease shared, Supplier<EtcdLease> newLease) {
    this.client = client;
    this.key = ByteSequence.from(key, UTF_8);
    this.owner = ByteSequence.from(owner, UTF_8);
    this.shared = shared;
    this.newLease = newLease;
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    KV kv = client.getKVClient();
    PutOption option = PutOption.builder().withLeaseId(shared.id()).build();
    return kv.txn()
        .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.version(0)))
        .Then(Op.put(key, owner, option))
        .commit()
        .thenApply(
            answer -> {
              if (answer.isSucceeded()) {
                number = answer.getHeader().getRevision();
              }
              return answer.isSucceeded();
            });
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public CompletionStage<Boolean> confirm() {
    return client
        .getLeaseClient()
        .keepAliveOnce(shared.id())
        .thenCompose(renewed -> client.getKVClient().get(key))
        .thenApply(
            found -> found.getKvs().stream().anyMatch(kv -> kv.getCreateRevision() == number));
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    if (own == null) {
      own = newLease.get();
    }
    return client
        .getLockClient()
        .lock(key, own.id())
        .thenApply(
            locked -> {
              queuedKey = locked.getKey();
              return true;
            });
  }

  @Override
  public CompletionStage<?> release() {
    if (queuedKey != null) {
      return client.getLockClient().unlock(queuedKey);
    }
    return client
        .getKVClient()
        .txn()
        .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.value(owner)))
        .Then(Op.delete(key, DeleteOption.DEFAULT))
        .commit();
  }
}
