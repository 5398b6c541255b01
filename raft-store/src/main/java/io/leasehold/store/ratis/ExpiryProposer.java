package io.leasehold.store.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Change;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Expiry;
import io.leasehold.store.core.ExpiryView;
import io.leasehold.store.core.Session;
import io.leasehold.store.rocks.TableException;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * On the leader, proposes to expire what is due, when it is due; whether it really is, is decided
 * when the entry is applied. It sleeps until the next moment at which anything can be due ({@link
 * ExpiryIndex}), so nothing is looked at and nothing is written while everybody renews.
 *
 * <p>Safe for many threads. It learns on the thread that applies and looks on the timer's; one
 * batch is under way at a time.
 */
final class ExpiryProposer {

  /** Most commands in one batch, so that those of nodes do not wait behind it for long. */
  static final int COMMANDS_MAX = 500;

  /** How soon it tries again what has failed, or what the index could not settle. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private static final Logger LOG = LoggerFactory.getLogger(ExpiryProposer.class);

  private final LeaderClock clock;
  private final Table table;
  private final Function<Batch, CompletableFuture<BatchReply>> propose;
  private final Timer timer;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final ExpiryIndex index = new ExpiryIndex();

  /** Which leadership this is; what belongs to an earlier one is ignored. */
  @GuardedBy("lock")
  private long reign;

  @GuardedBy("lock")
  private boolean leading;

  @GuardedBy("lock")
  private boolean underWay;

  @GuardedBy("lock")
  private Timer.@Nullable Cancellable wake;

  @GuardedBy("lock")
  private long wakeAtNanos;

  /**
   * @param clock lease time
   * @param table what may be due in
   * @param propose hands a batch to this node's own server
   * @param timer runs the looking
   */
  ExpiryProposer(
      LeaderClock clock,
      Table table,
      Function<Batch, CompletableFuture<BatchReply>> propose,
      Timer timer) {
    this.clock = clock;
    this.table = table;
    this.propose = propose;
    this.timer = timer;
  }

  /** Lets the table be looked at as one entry has left it. */
  interface Table {

    /** Returns the answer; throws {@link TableException} when there is no table now. */
    List<Command> look(Function<ExpiryView, List<Command>> question);
  }

  /** This node leads from now on. Called on the thread that applies, between two entries. */
  void lead(ExpiryView view) {
    synchronized (lock) {
      index.clear();
      for (Session session : view.sessions()) {
        index.put(session);
        view.claimsUpTo(session.id(), Long.MAX_VALUE, 1).forEach(index::put);
      }
      view.revoked().forEach(revoked -> index.putRevoked(revoked.claim(), revoked.expiryNanos()));
      reign++;
      leading = true;
      underWay = false;
      schedule();
    }
  }

  /** This node leads no more. */
  void follow() {
    synchronized (lock) {
      reign++;
      leading = false;
      underWay = false;
      index.clear();
      cancelWake();
    }
  }

  /** An entry has been applied. Called on the thread that applies. */
  void applied(List<Change> changes) {
    synchronized (lock) {
      if (leading) {
        index.apply(changes);
        schedule();
      }
    }
  }

  /** Sees to it that it wakes not later than anything can be due. */
  @GuardedBy("lock")
  private void schedule() {
    OptionalLong next = index.nextDueNanos();
    if (underWay || next.isEmpty() || (wake != null && wakeAtNanos <= next.getAsLong())) {
      return;
    }
    OptionalLong now = clock.tick();
    if (now.isPresent()) {
      wakeAt(next.getAsLong(), Duration.ofNanos(Math.max(0, next.getAsLong() - now.getAsLong())));
    } else {
      wakeAt(next.getAsLong(), PAUSE);
    }
  }

  @GuardedBy("lock")
  private void wakeAt(long leaseTimeNanos, Duration delay) {
    cancelWake();
    long current = reign;
    wakeAtNanos = leaseTimeNanos;
    wake = timer.schedule(delay, () -> look(current));
  }

  @GuardedBy("lock")
  private void cancelWake() {
    if (wake != null) {
      wake.cancel();
      wake = null;
    }
  }

  private void look(long ofReign) {
    List<ExpiryIndex.Suspect> suspects;
    long now;
    synchronized (lock) {
      if (reign != ofReign || !leading || underWay) {
        return;
      }
      wake = null;
      OptionalLong reading = clock.tick();
      if (reading.isEmpty()) {
        schedule();
        return;
      }
      now = reading.getAsLong();
      suspects = index.dueBy(now);
    }
    List<Command> due;
    try {
      due = table.look(view -> due(view, suspects, now));
    } catch (TableException e) {
      LOG.debug("the table is closed or being replaced; whoever leads then looks again", e);
      due = List.of();
    }
    proposeDue(due, ofReign);
  }

  private List<Command> due(ExpiryView view, List<ExpiryIndex.Suspect> suspects, long now) {
    observe(suspects, view);
    return isAnythingDueBy(now) ? Expiry.due(view, now, COMMANDS_MAX) : List.of();
  }

  private void observe(List<ExpiryIndex.Suspect> suspects, ExpiryView view) {
    for (ExpiryIndex.Suspect suspect : suspects) {
      List<Claim> first = view.claimsUpTo(suspect.session(), Long.MAX_VALUE, 1);
      synchronized (lock) {
        index.observe(
            suspect,
            first.isEmpty() ? OptionalLong.empty() : OptionalLong.of(first.get(0).ttlNanos()));
      }
    }
  }

  private boolean isAnythingDueBy(long leaseTimeNanos) {
    synchronized (lock) {
      OptionalLong next = index.nextDueNanos();
      return next.isPresent() && next.getAsLong() <= leaseTimeNanos;
    }
  }

  private void proposeDue(List<Command> due, long ofReign) {
    synchronized (lock) {
      if (reign != ofReign || !leading) {
        return;
      }
      if (due.isEmpty()) {
        scheduleSoon();
        return;
      }
      underWay = true;
    }
    var unused =
        propose
            .apply(Batch.ofStore(due))
            .whenComplete((reply, failure) -> proposed(failure, ofReign));
  }

  private void proposed(@Nullable Throwable failure, long ofReign) {
    synchronized (lock) {
      if (reign != ofReign || !leading) {
        return;
      }
      underWay = false;
      if (failure == null) {
        scheduleSoon();
      } else {
        LOG.debug("an expiry was not committed and is proposed again", failure);
        wakeAt(Long.MIN_VALUE, PAUSE);
      }
    }
  }

  /** As {@link #schedule}, but never at once: what was due a moment ago has been dealt with. */
  @GuardedBy("lock")
  private void scheduleSoon() {
    OptionalLong next = index.nextDueNanos();
    OptionalLong now = clock.tick();
    if (next.isPresent() && now.isPresent()) {
      long delay = next.getAsLong() - now.getAsLong();
      wakeAt(next.getAsLong(), Duration.ofNanos(Math.max(1_000_000, delay)));
    } else {
      schedule();
    }
  }
}
