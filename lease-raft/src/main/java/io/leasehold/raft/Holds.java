package io.leasehold.raft;

import io.leasehold.concurrent.Strand;
import io.leasehold.raft.meters.HolderMeters;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All holds of this node, in classes of equal life. They share their session's renewal, so that an
 * acknowledgement costs the same for one hold as for many, and the shortest-lived class has the
 * next deadline. Confined to the strand.
 */
final class Holds {

  private final Ticker ticker;
  private final Timer timer;
  private final Strand strand;
  private final Consumer<Hold> onDeadline;
  private final HolderMeters meters;
  private final TreeMap<Long, Set<Hold>> byLife = new TreeMap<>();
  private Timer.@Nullable Cancellable wakeUp;
  private long wakeUpNanos;
  private int count;

  /**
   * @param onDeadline called for each hold whose deadline has passed; has to end it and to {@link
   *     #remove} it
   */
  Holds(Ticker ticker, Timer timer, Strand strand, Consumer<Hold> onDeadline, HolderMeters meters) {
    this.ticker = ticker;
    this.timer = timer;
    this.strand = strand;
    this.onDeadline = onDeadline;
    this.meters = meters;
  }

  void add(Hold hold) {
    if (byLife.computeIfAbsent(hold.lifeNanos(), life -> new LinkedHashSet<>()).add(hold)) {
      meters.held(++count);
    }
    wakeUpInTime();
  }

  void remove(Hold hold) {
    Set<Hold> holds = byLife.get(hold.lifeNanos());
    if (holds != null && holds.remove(hold)) {
      meters.held(--count);
      if (holds.isEmpty()) {
        byLife.remove(hold.lifeNanos());
      }
    }
  }

  List<Hold> all() {
    List<Hold> all = new ArrayList<>();
    byLife.values().forEach(all::addAll);
    return all;
  }

  /** Ends what has passed its deadline; a renewal that is heard of later cannot revive it. */
  void endOverdue() {
    long nowNanos = ticker.nanos();
    List<Hold> overdue = new ArrayList<>();
    for (Set<Hold> holds : byLife.values()) {
      int before = overdue.size();
      for (Hold hold : holds) {
        if (hold.remainingNanos(nowNanos) <= 0) {
          overdue.add(hold);
        } else {
          break; // one class has one deadline
        }
      }
      if (overdue.size() == before) {
        break; // and longer lives have later ones
      }
    }
    overdue.forEach(onDeadline);
  }

  /**
   * Moves the deadlines, after what had passed its own is ended (CORRECTNESS.md, P8). What passed
   * it between is ended too: another thread may have seen that and said no already.
   */
  void renew(LiveSession session, long firstHandedNanos) {
    endOverdue();
    long beforeNanos = session.renewedNanos();
    session.renewed(firstHandedNanos);
    long sinceNanos = ticker.nanos() - beforeNanos;
    List<Hold> overdue = new ArrayList<>();
    byLife.headMap(sinceNanos, true).values().forEach(overdue::addAll);
    overdue.forEach(onDeadline);
    if (!byLife.isEmpty()) {
      long nearest = byLife.firstKey();
      meters.deadlineMoved(nearest - sinceNanos, nearest);
    }
  }

  private void wakeUpInTime() {
    if (byLife.isEmpty()) {
      return;
    }
    Hold next = byLife.firstEntry().getValue().iterator().next();
    long remainingNanos = Math.max(0, next.remainingNanos(ticker.nanos()));
    long dueNanos = ticker.nanos() + remainingNanos;
    if (wakeUp != null && wakeUpNanos - dueNanos <= 0) {
      return; // it wakes earlier, and looks then
    }
    if (wakeUp != null) {
      wakeUp.cancel();
    }
    wakeUpNanos = dueNanos;
    wakeUp = timer.schedule(Duration.ofNanos(remainingNanos), () -> strand.execute(this::woken));
  }

  private void woken() {
    wakeUp = null;
    endOverdue();
    wakeUpInTime();
  }

  void stop() {
    if (wakeUp != null) {
      wakeUp.cancel();
      wakeUp = null;
    }
  }
}
