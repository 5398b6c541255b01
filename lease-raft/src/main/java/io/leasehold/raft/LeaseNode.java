package io.leasehold.raft;

import io.leasehold.LeaseException;
import io.leasehold.LeaseLost;
import io.leasehold.Subscription;
import io.leasehold.concurrent.Strand;
import io.leasehold.raft.meters.HolderMeters;
import io.leasehold.raft.meters.HolderMeters.Limit;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.SessionId;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The holder's side of one node: its session, its claimants, its holds. Everything that it learns,
 * from the client's replies, the replica's events or the clock, is brought to one strand, where
 * each loss is found once whoever tells it first. Methods are for the strand unless they say
 * otherwise.
 */
final class LeaseNode {

  /** Asks for nothing, since no hold has token 0: its answer's index makes a read linearizable. */
  static final Command BARRIER = new Command.Confirm("barrier", 0);

  /** Why a call is not answered any more, where its user has asked for that. */
  static final String CLOSED = "the provider was closed";

  private static final Logger LOG = LoggerFactory.getLogger(LeaseNode.class);

  private final Ticker ticker;
  private final Timer timer;
  private final Executor callbacks;
  private final HolderSettings settings;
  private final Strand strand =
      new Strand(
          failure ->
              // What it left undone ends by a deadline.
              LOG.error("A task of the lease node failed; please report this", failure));
  private final RenewalPace pace;
  private final Holds holds;
  private final LeaseStore store;
  private final HolderMeters meters;
  private final StoreClient client;
  private final Claimants claimants =
      new Claimants((name, owner) -> new Claimant(this, name, owner));
  private final Subscription events;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Set<Long> releasing = new HashSet<>();
  private long acquisitions;
  private int waiting;
  private boolean stopped;

  LeaseNode(
      LeaseStore store,
      Ticker ticker,
      Timer timer,
      Executor callbacks,
      Supplier<SessionId> newSessionIds,
      HolderSettings settings,
      HolderMeters meters) {
    this.store = store;
    this.ticker = ticker;
    this.timer = timer;
    this.callbacks = callbacks;
    this.settings = settings;
    this.meters = meters;
    this.pace = new RenewalPace(settings.sessionTtl().dividedBy(3).toNanos());
    this.holds = new Holds(ticker, timer, strand, this::deadlinePassed, meters);
    SessionNews news = new SessionNews(this, settings.sessionTtl());
    this.client =
        new StoreClient(
            store,
            ticker,
            timer,
            strand,
            newSessionIds,
            settings.sessionTtl(),
            pace,
            holds,
            news,
            meters);
    this.events = store.watch(news);
    strand.execute(client::start);
  }

  // --- for any thread

  Executor callbacks() {
    return callbacks;
  }

  Claimants claimants() {
    return claimants;
  }

  /** Runs a task on the strand. */
  void run(Runnable task) {
    strand.execute(task);
  }

  boolean isClosing() {
    return closing.get();
  }

  long nowNanos() {
    return ticker.nanos();
  }

  boolean isAlive(Hold hold) {
    return hold.isAliveAt(ticker.nanos());
  }

  /** Completes a caller's future where the caller's code may run. */
  <T> void complete(CompletableFuture<T> future, @Nullable T value, @Nullable Throwable failure) {
    callback(
        () -> {
          if (failure != null) {
            future.completeExceptionally(failure);
          } else {
            future.complete(value);
          }
        });
  }

  /**
   * Tells the callers of an attempt that the lease is theirs; gives it back if every one of them
   * has cancelled.
   */
  void deliver(Hold hold, List<Completion<Boolean>> futures) {
    AtomicInteger undelivered = new AtomicInteger(futures.size());
    for (Completion<Boolean> future : futures) {
      future.answer(
          true,
          () -> {
            if (undelivered.decrementAndGet() == 0) {
              run(() -> hold.claimant().releaseUnclaimed(hold));
            }
          });
    }
  }

  /**
   * Returns what a call of a user's is going to complete with; it is answered on the strand.
   *
   * @param measure is told how it has ended for the user
   */
  <T> Completion<T> completion(Runnable ifEndedByOwner, Completion.Measure<T> measure) {
    return new Completion<>(this::callback, client::callerAnswered, ifEndedByOwner, measure);
  }

  HolderMeters meters() {
    return meters;
  }

  private void callback(Runnable task) {
    try {
      callbacks.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("The provider is closed; completing on this thread", e);
      task.run();
    }
  }

  // --- for the strand

  RenewalPace pace() {
    return pace;
  }

  Holds holds() {
    return holds;
  }

  StoreClient client() {
    return client;
  }

  @Nullable LiveSession session() {
    return client.session();
  }

  /** Why this node's replica does not serve yet; empty once it does. */
  Optional<String> waitsFor() {
    return store.status().waitsFor();
  }

  Duration requestTimeout() {
    return settings.requestTimeout();
  }

  /**
   * How long a hold may be believed in after a renewal: its ttl less the margin for clocks of
   * different rates.
   */
  long lifeNanos(Duration ttl) {
    return (long) (ttl.toNanos() * (1 - settings.margin()));
  }

  /** Whether nothing may be asked for now, which whoever is about to has to tell its caller. */
  boolean isOverloaded() {
    boolean overloaded = client.waiting() >= settings.callsMax();
    if (overloaded) {
      meters.limitReached(Limit.NODE);
    }
    return overloaded;
  }

  /** Somebody here has got a place in a queue. */
  void waits() {
    meters.waiting(++waiting);
  }

  /** Somebody here has none any more. */
  void waitsNoMore() {
    meters.waiting(--waiting);
  }

  long nextAcquisitionId() {
    return ++acquisitions;
  }

  /**
   * Asks the store something on behalf of an operator or observer. Any thread.
   *
   * @param what for the message when there is no answer
   * @param hasEffect whether an unanswered question may have changed something
   * @return completes on the strand; fails with a {@link LeaseException}
   */
  CompletableFuture<Answer.Applied> request(Command command, String what, boolean hasEffect) {
    Question question = new Question(this, command, what, hasEffect);
    run(question::ask);
    return question.result();
  }

  Call send(Command command, Consumer<Answer> onAnswer) {
    Call call = new Call(command, onAnswer);
    client.send(call);
    return call;
  }

  /**
   * Frees a hold in the store, this one and no other; repeated until the store answers or the
   * session is gone.
   */
  void release(String name, long token, Consumer<Answer> onAnswer) {
    releasing.add(token);
    send(
        new Command.Release(name, token),
        answer -> {
          releasing.remove(token);
          onAnswer.accept(answer);
        });
  }

  /** Whether a hold is being freed in the store, so that it is not to be believed in. */
  boolean isReleasing(long token) {
    return releasing.contains(token);
  }

  /** Frees in the store what nobody here believes in, unless that is under way. */
  void giveBack(String name, long token) {
    if (!releasing.contains(token)) {
      release(name, token, answer -> {});
    }
  }

  /** Runs a task on the strand after a delay, unless it is cancelled on the strand before. */
  Timer.Cancellable after(Duration delay, Runnable task) {
    AtomicBoolean cancelled = new AtomicBoolean();
    Timer.Cancellable scheduled =
        timer.schedule(
            delay,
            () ->
                strand.execute(
                    () -> {
                      if (!cancelled.get()) {
                        task.run();
                      }
                    }));
    return () -> {
      cancelled.set(true);
      scheduled.cancel();
    };
  }

  private void deadlinePassed(Hold hold) {
    losePastDeadline(hold);
    giveBack(hold.claimant().name(), hold.token());
  }

  /** Tells the loss of a hold past its deadline, unless it has ended already. */
  void losePastDeadline(Hold hold) {
    hold.claimant()
        .lose(
            hold,
            LeaseLost.Reason.UNREACHABLE,
            "The local deadline passed without a renewal acknowledged by the store; check the network, the disks and whether this process was paused");
  }

  /**
   * Ends all holds at once, as their deadlines cannot be trusted; what was under way makes no new
   * ones. Any thread.
   */
  void distrustClock(String why) {
    run(
        () -> {
          client.distrustClock();
          for (Hold hold : holds.all()) {
            hold.claimant().lose(hold, LeaseLost.Reason.UNREACHABLE, why);
            giveBack(hold.claimant().name(), hold.token());
          }
        });
  }

  /**
   * Ends this node's part: no acquire begins any more, all holds end, and one command releases them
   * together. Any thread.
   *
   * @return completes with whether the store has confirmed it, within the close timeout
   */
  CompletableFuture<Boolean> close() {
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    if (closing.compareAndSet(false, true)) {
      run(() -> close(closed));
    } else {
      closed.complete(true);
    }
    return closed;
  }

  private void close(CompletableFuture<Boolean> closed) {
    holds.endOverdue(); // what was lost before is not given back in order
    claimants.forEach(Claimant::providerClosed);
    List<Hold> ended = new ArrayList<>();
    for (Hold hold : holds.all()) {
      if (hold.claimant().endForClose(hold)) {
        ended.add(hold);
      }
    }
    Timer.Cancellable timeout = after(settings.closeTimeout(), () -> closed(ended, false, closed));
    client.closeSession(
        confirmed -> {
          timeout.cancel();
          closed(ended, confirmed, closed);
        });
  }

  private void closed(List<Hold> ended, boolean confirmed, CompletableFuture<Boolean> closed) {
    if (stopped) {
      return; // stopping answers what is unanswered, the closing among it
    }
    stopped = true;
    if (!confirmed) {
      ended.forEach(hold -> hold.claimant().lostByClose(hold));
    }
    client.stop(CLOSED);
    holds.stop();
    events.close();
    closed.complete(confirmed);
  }
}
