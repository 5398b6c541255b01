package io.leasehold.memory;

import io.leasehold.holder.Callbacks;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store behind its lock, with the time and the callbacks that all its nodes share. Everything
 * of the nodes that may change, except what {@code checkAlive} reads, is confined to this lock.
 * Safe for many threads.
 */
final class SharedStore {

  private final Object lock = new Object();
  private final Ticker ticker;
  private final Timer timer;
  private final Callbacks callbacks;
  private final StoreRules rules;
  private final Set<Node> nodes = new LinkedHashSet<>();
  private final Queue<StoreEvent> happened = new ArrayDeque<>();
  private Timer.@Nullable Cancellable alarm;
  private long alarmNanos;

  SharedStore(Ticker ticker, Timer timer, Callbacks callbacks, long tokenBase) {
    this.ticker = ticker;
    this.timer = timer;
    this.callbacks = callbacks;
    this.rules = new StoreRules(ticker, tokenBase, happened::add);
  }

  Ticker ticker() {
    return ticker;
  }

  Callbacks callbacks() {
    return callbacks;
  }

  /** The rules; only for code that runs inside {@link #call}. */
  StoreRules rules() {
    assert Thread.holdsLock(lock) : "the store's rules belong to its lock";
    return rules;
  }

  /** Makes a node hear of events; inside {@link #call}. */
  void join(Node node) {
    nodes.add(node);
  }

  /** Ends {@link #join}; inside {@link #call}. */
  void leave(Node node) {
    nodes.remove(node);
  }

  /**
   * Runs an action under the lock, and after it whatever it caused on other nodes; then, outside
   * the lock, starts the callbacks.
   */
  <T> T call(Supplier<T> action) {
    T result;
    synchronized (lock) {
      rules.expireDue();
      result = action.get();
      tellNodes();
      setAlarm();
    }
    if (!Thread.holdsLock(lock)) {
      callbacks.start();
    }
    return result;
  }

  /** As {@link #call}, without a result. */
  void run(Runnable action) {
    boolean unusedResult =
        call(
            () -> {
              action.run();
              return true;
            });
  }

  /** Runs a task under the lock later. */
  Timer.Cancellable schedule(Duration delay, Runnable task) {
    return timer.schedule(delay, () -> run(task));
  }

  private void tellNodes() {
    for (StoreEvent event = happened.poll(); event != null; event = happened.poll()) {
      for (Node node : List.copyOf(nodes)) {
        node.hear(event);
      }
    }
  }

  private void setAlarm() {
    rules
        .dueNanos()
        .ifPresent(
            dueNanos -> {
              if (alarm != null && alarmNanos - dueNanos <= 0) {
                return;
              }
              if (alarm != null) {
                alarm.cancel();
              }
              alarmNanos = dueNanos;
              alarm = timer.schedule(Duration.ofNanos(dueNanos - ticker.nanos()), this::alarmRings);
            });
  }

  /** Expiry itself is the first thing that happens under the lock. */
  private void alarmRings() {
    run(() -> alarm = null);
  }
}
