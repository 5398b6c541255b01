package io.leasehold.raft;

import io.leasehold.concurrent.Strand;
import io.leasehold.raft.meters.HolderMeters;
import io.leasehold.raft.meters.HolderMeters.AttemptFailure;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.ProposeException;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands this node's batches to the store, one at a time.
 *
 * <p>A batch that gets no answer in time is handed over again, to another member, under the same
 * sequence, until some copy is answered: the store applies one of them at most. Only if every copy
 * was certainly rejected does it come back.
 *
 * <p>Confined to the strand.
 */
final class Courier {

  private static final Logger LOG = LoggerFactory.getLogger(Courier.class);

  private static final long BACKOFF_NANOS_FIRST = 5_000_000L;
  private static final long BACKOFF_NANOS_MAX = 250_000_000L;

  /** For as long as an election takes a node asks often: nobody can go on before it is over. */
  private static final int FAILURES_OF_AN_ELECTION = 12;

  private static final long BACKOFF_NANOS_IN_AN_ELECTION = 40_000_000L;

  private static final int FAILURES_REFUSED = Integer.MAX_VALUE / 2;

  private final LeaseStore store;
  private final Ticker ticker;
  private final Timer timer;
  private final Strand strand;
  private final RenewalPace pace;
  private final Sender sender;
  private final HolderMeters meters;

  private @Nullable Flight flight;
  private Timer.@Nullable Cancellable nextAttempt;
  private int failures;
  private int attempts;

  Courier(
      LeaseStore store,
      Ticker ticker,
      Timer timer,
      Strand strand,
      RenewalPace pace,
      Sender sender,
      HolderMeters meters) {
    this.store = store;
    this.ticker = ticker;
    this.timer = timer;
    this.strand = strand;
    this.pace = pace;
    this.sender = sender;
    this.meters = meters;
  }

  /** Whose batches they are. Called on the strand, when nothing is in flight any more. */
  interface Sender {

    /** Some copy has been answered. */
    void landed(Flight flown, BatchReply reply);

    /** No copy of it has reached the log, nor will. */
    void rejected(Flight flown);
  }

  /** A batch on its way, in one or more copies. */
  static final class Flight {
    final Batch batch;
    final List<Call> calls;
    final long firstHandedNanos;
    private int attempts;
    private int outstanding;
    private boolean mayBeApplied;

    /** Whether deadlines may count from when it was handed over. */
    private boolean renews = true;

    private Flight(Batch batch, List<Call> calls, long firstHandedNanos) {
      this.batch = batch;
      this.calls = calls;
      this.firstHandedNanos = firstHandedNanos;
    }

    boolean renews() {
      return renews;
    }
  }

  boolean isBusy() {
    return flight != null;
  }

  /**
   * Hands a batch over; nothing may be in flight.
   *
   * @return when, before the transport sees anything: deadlines count from there, however often the
   *     batch is handed over
   */
  long carry(Batch batch, List<Call> calls) {
    Flight launched = new Flight(batch, calls, ticker.nanos());
    flight = launched;
    calls.forEach(Call::handedOver);
    attempt(launched);
    return launched.firstHandedNanos;
  }

  /** Forgets what is in flight, and returns it; whatever is answered to it is ignored. */
  @Nullable Flight abandon() {
    Flight flown = flight;
    flight = null;
    cancelNextAttempt();
    return flown;
  }

  /** No deadline counts from when the batch in flight was handed over. */
  void distrustClock() {
    if (flight != null) {
      flight.renews = false;
    }
  }

  /** How long the next batch should wait; zero unless something has failed since the last reply. */
  long pauseNanos() {
    return failures == 0 ? 0 : backoffNanos();
  }

  /** Asks for the longest pause before the next batch. */
  void slowDown() {
    failures = FAILURES_REFUSED;
  }

  /**
   * Another leader is known: what only waits to be tried again is, now.
   *
   * @return whether the next batch need not wait any more either
   */
  boolean leaderKnown() {
    if (failures >= FAILURES_REFUSED) {
      return false;
    }
    failures = Math.min(failures, 1);
    Flight flying = flight;
    if (flying != null && flying.outstanding == 0) {
      attempt(flying);
    }
    return true;
  }

  private void attempt(Flight flying) {
    flying.outstanding++;
    int attempt = attempts++;
    attemptAfter(pace.attemptNanos(flying.attempts++), flying);
    try {
      store
          .propose(flying.batch, attempt)
          .whenComplete((reply, error) -> strand.execute(() -> ended(flying, reply, error)));
    } catch (RuntimeException e) {
      ended(flying, null, e);
    }
  }

  private void overdue(Flight flying) {
    if (flight == flying) {
      if (flying.outstanding > 0) {
        failures++; // another one has been counted when it failed
        meters.attemptFailed(AttemptFailure.UNANSWERED);
      }
      attempt(flying);
    }
  }

  private void ended(Flight flying, @Nullable BatchReply reply, @Nullable Throwable error) {
    if (flight != flying) {
      return;
    }
    if (reply != null) {
      cancelNextAttempt();
      flight = null;
      failures = 0;
      attempts = 0;
      sender.landed(flying, reply);
    } else {
      failed(flying, error);
    }
  }

  private void failed(Flight flying, @Nullable Throwable error) {
    LOG.debug("An attempt at batch {} failed", flying.batch.origin(), error);
    meters.attemptFailed(AttemptFailure.FAILED);
    flying.outstanding--;
    flying.mayBeApplied |= !isCertainlyNotApplied(error);
    failures++;
    if (flying.outstanding == 0 && !flying.mayBeApplied) {
      cancelNextAttempt();
      flight = null;
      sender.rejected(flying);
    } else {
      attemptAfter(backoffNanos(), flying);
    }
  }

  private static boolean isCertainlyNotApplied(@Nullable Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return cause instanceof ProposeException exception && exception.certainlyNotApplied();
  }

  private long backoffNanos() {
    long most =
        failures <= FAILURES_OF_AN_ELECTION ? BACKOFF_NANOS_IN_AN_ELECTION : BACKOFF_NANOS_MAX;
    int doublings = Math.min(failures - 1, 10);
    return Math.min(most, BACKOFF_NANOS_FIRST << doublings);
  }

  private void attemptAfter(long delayNanos, Flight flying) {
    cancelNextAttempt();
    nextAttempt =
        timer.schedule(Duration.ofNanos(delayNanos), () -> strand.execute(() -> overdue(flying)));
  }

  private void cancelNextAttempt() {
    if (nextAttempt != null) {
      nextAttempt.cancel();
      nextAttempt = null;
    }
  }
}
