package io.leasehold.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.LeaseOption;
import io.etcd.jetcd.options.PutOption;
import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.contract.Losses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What is in a real etcd, and what an operator does there. */
@EnabledIf(value = EtcdProcess.IS_ON_THE_PATH, disabledReason = EtcdProcess.IS_MISSING)
final class EtcdClaimIT {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @TempDir static Path folder;

  private static @Nullable EtcdProcess etcd;
  private static @Nullable Client client;

  @BeforeAll
  static void start() {
    EtcdProcess started = EtcdProcess.start(folder);
    etcd = started;
    client = Client.builder().endpoints("http://127.0.0.1:" + started.port()).build();
  }

  @AfterAll
  static void shutDown() {
    if (client != null) {
      client.close();
    }
    if (etcd != null) {
      etcd.close();
    }
  }

  private static Client client() {
    return requireNonNull(client);
  }

  private static LeaseSettings settings(TestInfo test, Duration ttl) {
    return LeaseSettings.of(test.getDisplayName(), "a", ttl);
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  private static ByteSequence key(Lease lease) {
    return bytes("leasehold/" + lease.settings().name());
  }

  private static List<KeyValue> found(ByteSequence key) {
    return await(client().getKVClient().get(key)).getKvs();
  }

  private static <R> R await(CompletionStage<R> stage) {
    CompletableFuture<R> future = stage.toCompletableFuture();
    Awaitility.await("an answer of etcd").atMost(PATIENCE).until(future::isDone);
    return future.join();
  }

  @Test
  void holdIsAKeyWithALeaseOfWholeSeconds(TestInfo test) {
    try (LeaseProvider leases = EtcdLeases.on(client())) {
      Lease lease = leases.lease(settings(test, Duration.ofMillis(3_001)));

      assertThat(await(lease.acquire())).isTrue();

      KeyValue held = found(key(lease)).get(0);
      assertThat(held.getValue()).isEqualTo(bytes("a"));
      assertThat(lease.fencingToken()).hasValue(held.getCreateRevision());
      long ttlSeconds =
          await(client().getLeaseClient().timeToLive(held.getLease(), LeaseOption.DEFAULT))
              .getGrantedTTL();
      assertThat(ttlSeconds).isEqualTo(4);
      assertThat(lease.remaining()).isLessThan(Duration.ofMillis(2_401));
      await(lease.release());
      assertThat(found(key(lease))).isEmpty();
    }
  }

  @Test
  void keyThatAnOperatorDeletesIsARevocation(TestInfo test) {
    try (LeaseProvider leases = EtcdLeases.on(client())) {
      Lease lease = leases.lease(settings(test, Duration.ofSeconds(3)));
      assertThat(await(lease.acquire())).isTrue();
      long token = lease.fencingToken().orElseThrow();
      Losses losses = Losses.of(lease);

      assertThat(await(client().getKVClient().delete(key(lease))).getDeleted()).isEqualTo(1);
      Awaitility.await("the loss").atMost(PATIENCE).until(() -> losses.count() > 0);

      losses.assertOnce(lease, token, LeaseLost.Reason.REVOKED);
    }
  }

  @Test
  void etcdLeaseThatIsGoneIsAnExpiry(TestInfo test) {
    try (LeaseProvider leases = EtcdLeases.on(client())) {
      Lease lease = leases.lease(settings(test, Duration.ofSeconds(3)));
      assertThat(await(lease.acquire())).isTrue();
      long token = lease.fencingToken().orElseThrow();
      Losses losses = Losses.of(lease);

      long etcdLease = found(key(lease)).get(0).getLease();
      assertThat(await(client().getLeaseClient().revoke(etcdLease))).isNotNull();
      Awaitility.await("the loss").atMost(PATIENCE).until(() -> losses.count() > 0);

      losses.assertOnce(lease, token, LeaseLost.Reason.EXPIRED);
    }
  }

  /** Far sooner than a waiter asks without a hint, which is after 5 s. */
  @Test
  void waiterHearsOfARelease(TestInfo test) {
    try (LeaseProvider leases = EtcdLeases.on(client());
        LeaseProvider others = EtcdLeases.on(client())) {
      Lease holder = leases.lease(settings(test, Duration.ofMinutes(1)));
      Lease waiter = others.lease(settings(test, Duration.ofMinutes(1)));
      assertThat(await(holder.acquire())).isTrue();
      CompletableFuture<Boolean> answer =
          waiter.acquire(Duration.ofMinutes(1)).toCompletableFuture();
      assertThat(await(others.lease(waiter.settings().withOwner("b")).acquire())).isFalse();

      await(holder.release());

      assertThat(answer).succeedsWithin(Duration.ofSeconds(3)).isEqualTo(true);
      assertThat(waiter.checkAlive()).isTrue();
    }
  }

  /** On this rests that a claim which was given back gets nothing later. */
  @Test
  void etcdWritesNothingForALeaseThatWasRevoked(TestInfo test) {
    ByteSequence key = bytes(test.getDisplayName());
    long etcdLease = await(client().getLeaseClient().grant(10)).getID();
    assertThat(await(client().getLeaseClient().revoke(etcdLease))).isNotNull();

    PutOption withLease = PutOption.builder().withLeaseId(etcdLease).build();
    var late = client().getKVClient().txn().Then(Op.put(key, key, withLease)).commit();

    assertThat(late).failsWithin(PATIENCE);
    assertThat(found(key)).isEmpty();
  }

  @Test
  void claimThatWasGivenBackGetsNothing(TestInfo test) {
    EtcdStore store = new EtcdStore(client(), "leasehold/");
    EtcdClaim claim = (EtcdClaim) store.claim(settings(test, Duration.ofSeconds(10)));
    await(claim.giveBack());

    assertThat(claim.ask().toCompletableFuture()).failsWithin(PATIENCE);
    assertThat(found(bytes("leasehold/" + test.getDisplayName()))).isEmpty();
  }
}
