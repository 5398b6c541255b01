package io.leasehold.raft;

import static io.leasehold.raft.Stage.INTERVAL;
import static io.leasehold.raft.Stage.LIFE;
import static io.leasehold.raft.Stage.PRINTER;
import static io.leasehold.raft.Stage.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.raft.ManualStore.Proposal;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The node's session, and what both sides believe about it. */
final class SessionTest {

  private final Stage stage = new Stage();

  @Test
  void idleSessionIsRenewedBeforeItRunsOut() {
    SessionId session = stage.session();

    for (int i = 0; i < 60; i++) {
      stage.advance(Duration.ofSeconds(5));
      stage.store.expireDue();
    }

    assertThat(stage.session()).isEqualTo(session);
    assertThat(stage.store.table().session(session)).isPresent();
  }

  @Test
  void sessionThatTheStoreDoesNotKnowEndsAllHoldsAndIsFollowedByANewOne() {
    Lease lease = stage.held();
    SessionId first = stage.session();
    stage.store.tellLater();
    closeBehindItsBack(first);

    stage.advance(INTERVAL);

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.SESSION_LOST);
    assertThat(stage.session()).isNotEqualTo(first);
    assertThat(stage.result(lease.acquire())).isTrue();
    stage.store.tell();
    assertThat(lease.checkAlive()).as("news of the old session").isTrue();
  }

  private void closeBehindItsBack(SessionId session) {
    stage.store.apply(Batch.of(session, 1_000_000, List.of(new Command.CloseSession())));
  }

  @Test
  void endOfTheSessionThatTheReplicaTellsEndsAllHoldsAtOnce() {
    Lease lease = stage.held();

    closeBehindItsBack(stage.session());

    assertThat(lease.checkAlive()).isFalse();
    stage.settle();
    assertThat(stage.losses).hasSize(1);
    assertThat(stage.result(lease.acquire())).isTrue();
  }

  @Test
  void acquireThatFindsTheSessionGoneIsMadeInTheNextOne() {
    Lease lease = stage.lease("a");
    stage.store.tellLater();
    closeBehindItsBack(stage.session());

    assertThat(stage.result(lease.acquire())).isTrue();

    assertThat(lease.checkAlive()).isTrue();
    assertThat(stage.holderInStore()).hasValue("a");
  }

  @Test
  void callsMadeBeforeTheSessionIsOpenWaitForIt() {
    ManualStore store = new ManualStore(stage.time);
    store.holdBack();
    HolderSide holder =
        new HolderSide(
            store,
            stage.time,
            stage.time,
            callback -> stage.time.schedule(Duration.ZERO, callback),
            () -> new SessionId(5, 5),
            HolderSide.Patience.USUAL);
    CompletionStage<Boolean> acquired = holder.lease(Stage.settings("a")).acquire();

    store.next().applyAndAnswer();
    assertThat(stage.isDone(acquired)).isFalse();
    store.next().applyAndAnswer();

    assertThat(stage.result(acquired)).isTrue();
  }

  /** The second line of defence: what the store holds and nobody here believes in. */
  @Test
  void holdThatOnlyTheStoreKnowsIsFoundAndGivenBack() {
    Lease lease = stage.held();
    stage.store.apply(
        Batch.of(
            stage.session(),
            1_000_000,
            List.of(new Command.Acquire("stray", "a", TTL.toNanos(), 1_000_000, false, false))));
    resume(stage.session());

    stage.advance(INTERVAL.multipliedBy(3));

    assertThat(stage.store.table().lease("stray")).isEmpty();
    assertThat(lease.checkAlive()).isTrue();
    stage.assertNothingLost();
  }

  /** Lets the store forget that it has seen a batch with a number so high. */
  private void resume(SessionId id) {
    long sent = stage.store.seen().get(stage.store.seen().size() - 1).sequence();
    stage.store.rewind(id, sent);
  }

  /** The second line of defence: what this node believes in and the store does not have. */
  @Test
  void holdThatOnlyThisNodeKnowsIsLostBeforeAnythingIsExtended() {
    Lease lease = stage.held();
    long token = stage.tokenInStore();
    stage.store.tellLater();
    stage.store.apply(
        Batch.of(stage.session(), 1_000_000, List.of(new Command.Release(PRINTER, token))));
    resume(stage.session());
    List<Long> renewedWhenTold = new ArrayList<>();
    stage.whenCallbackIsDue(() -> renewedWhenTold.add(stage.holder.renewedNanos()));

    stage.advance(INTERVAL.multipliedBy(2));

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.EXPIRED);
    assertThat(renewedWhenTold).as("the deadline when it was lost").containsExactly(0L);
  }

  /**
   * An error in the middle of a reply, such as no thread left for a callback, leaves the rest of it
   * undone. What has ended must not be extended by the next one.
   */
  @Test
  void holdWhoseEndWasNotTakenInIsNotRenewed() {
    Lease printer = stage.held();
    Lease scanner = stage.holder.lease(Stage.settings("a").withName("scanner"));
    assertThat(stage.result(scanner.acquire())).isTrue();
    stage.store.tellLater();
    long second = scanner.fencingToken().orElseThrow();
    stage.otherRevokes();
    stage.otherDoes(new Command.Revoke("scanner", second, "maintenance", false));
    stage.whenCallbackIsDue(
        () -> {
          stage.whenCallbackIsDue(() -> {});
          throw new OutOfMemoryError("no thread left");
        });

    Lease plotter = stage.holder.lease(Stage.settings("a").withName("plotter"));
    for (int i = 0; i < 2; i++) {
      stage.advance(INTERVAL);
      assertThat(stage.result(plotter.acquire())).as("the node goes on").isTrue();
      stage.otherRenews();
    }
    stage.store.holdBack();
    stage.advance(INTERVAL);
    stage.store.expireDue();

    assertThat(printer.checkAlive()).isFalse();
    assertThat(
            stage.otherDoes(
                new Command.Acquire("scanner", "other", TTL.toNanos(), 1_000, false, false)))
        .isInstanceOf(Reply.Granted.class);
    assertThat(scanner.checkAlive()).as("while another has it").isFalse();
  }

  /** A batch that nobody here sent is in the log: nothing is known any more. */
  @Test
  void batchThatIsOlderThanTheStoresLastEndsTheSession() {
    Lease lease = stage.held();
    stage.store.tellLater();
    stage.store.apply(Batch.of(stage.session(), 1_000_000, List.of()));

    stage.advance(INTERVAL);

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.SESSION_LOST);
    stage.advance(LIFE);
    stage.store.expireDue();
    assertThat(stage.result(lease.acquire())).isTrue();
  }

  /** A snapshot brings what has happened without telling it. */
  @Test
  void snapshotOnTheReplicaMakesTheNodeCompare() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(Duration.ofHours(1));
    stage.settle();
    stage.store.tellLater();
    stage.otherReleases();
    assertThat(stage.isDone(acquired)).isFalse();

    stage.store.replace();

    assertThat(stage.result(acquired)).isTrue();
    assertThat(lease.checkAlive()).isTrue();
  }

  @Test
  void answerOfAnEarlierBatchIsIgnored() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.advance(INTERVAL);
    stage.advance(INTERVAL.dividedBy(2));
    List<Proposal> copies = stage.store.arrived();
    copies.get(1).applyAndAnswer();
    stage.advance(INTERVAL);
    BatchReply stale = copies.get(0).apply();

    copies.get(0).answer(stale);

    assertThat(lease.checkAlive()).isTrue();
    stage.assertNothingLost();
  }
}
