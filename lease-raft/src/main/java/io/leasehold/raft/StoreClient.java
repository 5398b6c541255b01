package io.leasehold.raft;

import io.leasehold.concurrent.Strand;
import io.leasehold.raft.meters.HolderMeters;
import io.leasehold.raft.meters.HolderMeters.RenewalOutcome;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.SessionId;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's client to the store: its session, what is to be said in it, and what is answered.
 *
 * <p>A command that finds nothing in flight goes at once, unless it is likely not to be the only
 * one ({@link Gathering}); those that arrive meanwhile go together in the next batch. So there is
 * neither a timer nor a wait when idle, and under load the price of a log entry is shared (the same
 * idea as group commit). Every batch renews the session; when there is nothing else to say and the
 * renewal is due, an empty one does.
 *
 * <p>How a batch gets there and back is the {@link Courier}'s concern. One that comes back rejected
 * is taken apart, and its commands go into a batch with a sequence of its own. What a reply means
 * for what is held is the {@link Reconciliation}'s.
 *
 * <p>Confined to the strand.
 */
final class StoreClient implements Courier.Sender {

  private static final Logger LOG = LoggerFactory.getLogger(StoreClient.class);

  /** Enough to fill an entry without making a single one slow for everybody. */
  private static final int COMMANDS_PER_BATCH = 500;

  private final LeaseStore store;
  private final Ticker ticker;
  private final Timer timer;
  private final Strand strand;
  private final Supplier<SessionId> newIds;
  private final long sessionTtlNanos;
  private final RenewalPace pace;
  private final SessionListener listener;
  private final HolderMeters meters;
  private final Courier courier;
  private final Reconciliation reconciliation;
  private final Gathering gathering;
  private final Outbox outbox = new Outbox();

  private @Nullable LiveSession session;
  private volatile @Nullable SessionId sessionId;
  private Timer.@Nullable Cancellable wakeUp;
  private long sequence;
  private long lastHandedNanos;
  private long answeredIndex;
  private boolean landing;
  private boolean backingOff;
  private boolean gatheringMore;
  private boolean started;
  private boolean closing;
  private @Nullable String stoppedBecause;

  StoreClient(
      LeaseStore store,
      Ticker ticker,
      Timer timer,
      Strand strand,
      Supplier<SessionId> newIds,
      Duration sessionTtl,
      RenewalPace pace,
      Holds holds,
      SessionListener listener,
      HolderMeters meters) {
    this.store = store;
    this.ticker = ticker;
    this.timer = timer;
    this.strand = strand;
    this.newIds = newIds;
    this.sessionTtlNanos = sessionTtl.toNanos();
    this.pace = pace;
    this.listener = listener;
    this.meters = meters;
    this.reconciliation = new Reconciliation(holds, listener, this::send, ticker, meters);
    this.gathering = new Gathering(ticker);
    this.courier = new Courier(store, ticker, timer, strand, pace, this, meters);
  }

  /**
   * What a session's owner has to know. Called on the strand. What has ended is told before the
   * deadlines of all else move, what has begun after.
   */
  interface SessionListener {

    /** Something of this session's has ended other than by its own command. */
    void ended(Event event);

    /** At this index the store held exactly these: what else there was has ended. */
    void endedUnless(Set<Long> heldTokens, long index);

    /** A lease was handed over to this session. */
    void handedOver(Event.Granted granted, long index);

    /** At this index the store had exactly these holds and places in queues: some may be news. */
    void held(Reply.Held held, long index);

    /** The session is gone in the store, and all holds with it. */
    void sessionLost(LiveSession lost);
  }

  /** A caller has been answered, and may call again. */
  void callerAnswered() {
    gathering.callerAnswered();
  }

  /** Another leader is known, to which what waits for one can go. */
  void leaderKnown() {
    if (courier.leaderKnown() && backingOff) {
      launchNext();
    }
  }

  /** Opens the session as soon as the store can be reached. */
  void start() {
    started = true;
    pump();
  }

  /** Returns the session's id; null until it is open. Safe on any thread. */
  @Nullable SessionId sessionId() {
    return sessionId;
  }

  /** Returns the session; null until it is open. */
  @Nullable LiveSession session() {
    return session;
  }

  /**
   * The clock has stood still: how long ago anything was handed over is not known, so no deadline
   * counts from that.
   */
  void distrustClock() {
    if (session != null) {
      session.distrust(ticker.nanos());
    }
    courier.distrustClock();
  }

  /** Returns the log index of the last reply: what happened up to there has been told. */
  long answeredIndex() {
    return answeredIndex;
  }

  int waiting() {
    return outbox.size();
  }

  /**
   * Sends a command as soon as nothing else is in flight. It is answered exactly once, unless it is
   * withdrawn.
   */
  void send(Call call) {
    String why = stoppedBecause;
    if (why != null) {
      call.answer(new Answer.Stopped(why, false));
      return;
    }
    outbox.add(call);
    meters.unsent(outbox.size());
    pump();
  }

  /**
   * Ends the session, after what waits to be sent; no other one is opened.
   *
   * @param onClosed told whether the store has confirmed that nothing is held any more
   */
  void closeSession(Consumer<Boolean> onClosed) {
    closing = true;
    if (session == null && !courier.isBusy()) {
      onClosed.accept(true);
      return;
    }
    send(
        new Call(
            new Command.CloseSession(),
            answer -> onClosed.accept(!(answer instanceof Answer.Stopped))));
  }

  /**
   * Answers all calls, and those that come later, and sends nothing any more.
   *
   * @param why as the end of a sentence
   */
  void stop(String why) {
    stoppedBecause = why;
    cancelWakeUp();
    Courier.Flight flown = courier.abandon();
    if (flown != null) {
      flown.calls.forEach(call -> call.answer(new Answer.Stopped(why, true)));
    }
    answerWaiting(new Answer.Stopped(why, false));
  }

  private void answerWaiting(Answer answer) {
    outbox.drain(call -> call.answer(answer));
  }

  private void pump() {
    if (!started || stoppedBecause != null || landing || courier.isBusy() || backingOff) {
      return;
    }
    long pauseNanos = courier.pauseNanos();
    if (pauseNanos > 0) {
      wakeUpAfter(pauseNanos, this::launchNext);
      backingOff = true; // and what is sent meanwhile does not put it off
    } else if (outbox.isEmpty() || gathering.isComplete(outbox.size())) {
      launchNext();
    } else if (!gatheringMore) {
      gatherMore();
    }
  }

  private void gatherMore() {
    wakeUpAfter(Gathering.PAUSE_NANOS, this::gathered);
    gatheringMore = true;
  }

  private void gathered() {
    if (!gatheringMore) {
      return;
    }
    if (gathering.isCompleteAfterPause(outbox.size())) {
      launchNext();
    } else {
      gatherMore();
    }
  }

  private void launchNext() {
    if (stoppedBecause != null || courier.isBusy()) {
      return;
    }
    cancelWakeUp();
    LiveSession open = session;
    if (open == null && closing) {
      answerWaiting(new Answer.SessionGone());
      return;
    }
    if (open == null) {
      Command opening = new Command.OpenSession(store.node(), sessionTtlNanos);
      sequence = 0;
      launch(newIds.get(), List.of(opening), List.of());
      return;
    }
    List<Call> calls = outbox.next(COMMANDS_PER_BATCH);
    meters.unsent(outbox.size());
    long untilRenewalNanos = pace.intervalNanos() - (ticker.nanos() - lastHandedNanos);
    if (calls.isEmpty() && untilRenewalNanos > 0) {
      wakeUpAfter(untilRenewalNanos, this::launchNext);
      return;
    }
    launch(open.id(), calls.stream().map(Call::command).toList(), calls);
  }

  private void launch(SessionId id, List<Command> commands, List<Call> calls) {
    sequence++;
    meters.batchSent(calls.size());
    lastHandedNanos = courier.carry(Batch.of(id, sequence, commands), calls);
  }

  @Override
  public void rejected(Courier.Flight flown) {
    ended(flown, RenewalOutcome.REJECTED);
    flown.calls.forEach(Call::rejected);
    outbox.putBack(flown.calls);
    meters.unsent(outbox.size());
    pump();
  }

  private void ended(Courier.Flight flown, RenewalOutcome outcome) {
    meters.renewalEnded(outcome, ticker.nanos() - flown.firstHandedNanos);
  }

  @Override
  public void landed(Courier.Flight flown, BatchReply reply) {
    // What the answers set off goes together in one batch.
    landing = true;
    try {
      answered(flown, reply);
    } finally {
      landing = false;
      gathering.landed(outbox.size());
      pump(); // also after an error: what there is has to be renewed
    }
  }

  private void answered(Courier.Flight flown, BatchReply reply) {
    switch (reply.status()) {
      case APPLIED -> applied(flown, reply);
      case SESSION_UNKNOWN, STALE -> lost(flown, reply.status());
      case REFUSED -> refused(flown);
    }
  }

  private void applied(Courier.Flight flown, BatchReply reply) {
    LiveSession renewed = session;
    if (renewed == null) {
      opened(flown, reply);
      return;
    }
    answeredIndex = reply.index();
    reconciliation.applied(flown, reply, renewed);
  }

  private void opened(Courier.Flight flown, BatchReply reply) {
    sequence = reply.index(); // from where the store counts a session's batches
    SessionId id = flown.batch.origin().orElseThrow().session();
    LiveSession opened = new LiveSession(id, flown.firstHandedNanos);
    if (!flown.renews()) {
      opened.distrust(ticker.nanos());
    }
    ended(flown, flown.renews() ? RenewalOutcome.ACKNOWLEDGED : RenewalOutcome.UNCONFIRMED);
    session = opened;
    sessionId = id;
    reconciliation.clear();
    LOG.info("Session of node {} is open", store.node());
  }

  private void lost(Courier.Flight flown, BatchReply.Status status) {
    if (status == BatchReply.Status.STALE) {
      LOG.error(
          "The store has a later batch of this session than this node ever sent; starting a new session");
    }
    ended(flown, RenewalOutcome.SESSION_LOST);
    sessionGone();
    flown.calls.forEach(call -> call.answer(new Answer.SessionGone()));
  }

  /** The store has ended the session, whoever says so. */
  void sessionEnded(SessionId id) {
    LiveSession current = session;
    if (current != null && current.id().equals(id)) {
      sessionGone();
      Courier.Flight flown = courier.abandon();
      cancelWakeUp();
      if (flown != null) {
        flown.calls.forEach(call -> call.answer(new Answer.SessionGone()));
      }
      pump();
    }
  }

  private void sessionGone() {
    LiveSession gone = session;
    session = null;
    sessionId = null;
    reconciliation.clear();
    if (gone != null) {
      listener.sessionLost(gone);
    }
  }

  private void refused(Courier.Flight flown) {
    LOG.error(
        "The store refused a batch of {} commands; its session limit may be reached",
        flown.calls.size());
    ended(flown, RenewalOutcome.REFUSED);
    courier.slowDown();
    flown.calls.forEach(
        call -> call.answer(new Answer.Applied(new Reply.Refused("the batch was refused"), 0)));
  }

  private void wakeUpAfter(long delayNanos, Runnable task) {
    cancelWakeUp();
    wakeUp = timer.schedule(Duration.ofNanos(delayNanos), () -> strand.execute(task));
  }

  private void cancelWakeUp() {
    backingOff = false;
    gatheringMore = false;
    if (wakeUp != null) {
      wakeUp.cancel();
      wakeUp = null;
    }
  }
}
