package io.leasehold.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.memory.InMemoryLeases;
import io.leasehold.time.VirtualTime;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Lock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Locks of Vert.x on leases; time stands still. */
final class LeaseLocksTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final LeaseSettings TEMPLATE =
      LeaseSettings.of("vertx", "app", TTL).withAcquireRetries(1);

  private static final Vertx VERTX = Vertx.vertx();

  private final VirtualTime time = new VirtualTime();
  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
  private final LeaseLocks locks = new LeaseLocks(VERTX, cluster.node("n1"), TEMPLATE);
  private final LeaseLocks other = new LeaseLocks(VERTX, cluster.node("n2"), TEMPLATE);

  @AfterAll
  static void closeVertx() throws Exception {
    Void unusedNothing = VERTX.close().await(10, TimeUnit.SECONDS);
  }

  private static LeasedLock await(Future<LeasedLock> lock) throws Exception {
    return lock.await(10, TimeUnit.SECONDS);
  }

  /** A resource whose writes take time. */
  private interface Report {
    Future<Long> write(long fencingToken);
  }

  /** As the package's documentation has it. */
  @Test
  void lockGuardsAnAsynchronousWrite() throws Exception {
    Report report = Future::succeededFuture;

    Future<Long> written =
        locks
            .getLockWithTimeout("report", 5_000)
            .compose(lock -> report.write(lock.fencingToken()).onComplete(done -> lock.release()));

    assertThat(written.await(10, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(await(other.getLockWithTimeout("report", 0)).fencingToken()).isEqualTo(2);
  }

  @Test
  void lockExcludesOtherProcessesUntilItIsReleased() throws Exception {
    Lock lock = await(locks.getLock("report"));
    Future<LeasedLock> waiting = other.getLock("report");
    assertThat(waiting.isComplete()).isFalse();

    lock.release();

    assertThat(await(waiting).checkAlive()).isTrue();
  }

  @Test
  void callsOfOneProcessExcludeEachOtherInTheirOrder() throws Exception {
    LeaseLocks twin = new LeaseLocks(VERTX, cluster.node("n1"), TEMPLATE);
    LeasedLock first = await(locks.getLock("report"));
    Future<LeasedLock> second = locks.getLock("report");
    Future<LeasedLock> third = twin.getLock("report");

    first.release();
    LeasedLock its = await(second);
    assertThat(third.isComplete()).isFalse();
    its.release();

    assertThat(await(third).fencingToken()).isGreaterThan(its.fencingToken());
  }

  @Test
  void waitEndsInTimeAndLeavesTheQueue() throws Exception {
    LeasedLock lock = await(locks.getLock("report"));
    Future<LeasedLock> atOnce = other.getLockWithTimeout("report", 0);
    Future<LeasedLock> waiting = other.getLockWithTimeout("report", 5_000);

    assertThatThrownBy(() -> await(atOnce)).hasMessageContaining("Timed out");
    time.advance(Duration.ofSeconds(5));

    assertThatThrownBy(() -> await(waiting)).hasMessageContaining("report");
    lock.release();
    assertThat(await(locks.getLockWithTimeout("report", 0)).checkAlive()).isTrue();
  }

  @Test
  void futureCompletesOnTheContextOfTheCaller() throws Exception {
    Context context = VERTX.getOrCreateContext();
    LeasedLock held = await(locks.getLock("report"));
    CountDownLatch asked = new CountDownLatch(1);
    Future<Boolean> onIt =
        Future.future(
            promise ->
                context.runOnContext(
                    start -> {
                      other
                          .getLock("report")
                          .map(lock -> Vertx.currentContext() == context)
                          .onComplete(promise);
                      asked.countDown();
                    }));
    assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();

    held.release();

    assertThat(onIt.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void lossIsTold() throws Exception {
    LeasedLock lock = await(locks.getLock("report"));
    List<LeaseLost> losses = new ArrayList<>();
    Subscription unusedRecorder = lock.onLost(losses::add);
    cluster.disconnect("n1");

    time.advance(TTL);

    assertThat(lock.checkAlive()).isFalse();
    assertThat(losses).extracting(LeaseLost::fencingToken).containsExactly(lock.fencingToken());
    lock.release();
  }

  @Test
  void storeThatCannotBeAskedIsAFailure() {
    InMemoryLeases node = cluster.node("n1");
    cluster.disconnect("n1");
    Future<LeasedLock> unanswered = locks.getLock("report");

    node.close();

    assertThatThrownBy(() -> await(unanswered)).isInstanceOf(LeaseUnavailableException.class);
  }
}
