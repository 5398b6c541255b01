package io.leasehold.raft.simulation;

import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Real time and everything that is going to happen in it, with the one source of chance. Nobody
 * inside may read it but to schedule: processes have clocks of their own. Confined to one thread.
 */
public final class World implements Ticker {

  private static final int TRACE_LINES_MAX = 20_000;

  /** Far more than any run has that goes forward. */
  private static final long STEPS_MAX = 1_000_000;

  private final PriorityQueue<Happening> future = new PriorityQueue<>();
  private final SplittableRandom random;
  private final List<Runnable> afterEachStep = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private final Map<Occurrence, Long> occurrences = new EnumMap<>(Occurrence.class);
  private boolean tracing;
  private long nowNanos;
  private long scheduled;
  private long steps;
  private long fingerprint;
  private @Nullable Violation found;

  /**
   * @param seed decides everything that is left to chance
   */
  public World(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Returns real time. */
  @Override
  public long nanos() {
    return nowNanos;
  }

  /** Returns the source of chance. */
  public SplittableRandom random() {
    return random;
  }

  /** Whether something of this probability happens now. */
  public boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /** Returns a time between two, the greater one excluded. */
  public long between(long fromNanos, long toNanos) {
    return fromNanos >= toNanos ? fromNanos : random.nextLong(fromNanos, toNanos);
  }

  /** Makes something happen later. */
  public Timer.Cancellable after(long delayNanos, Runnable work) {
    Happening happening = new Happening(nowNanos + Math.max(0, delayNanos), scheduled++, work);
    future.add(happening);
    return happening;
  }

  /** Has something looked at after every step. */
  public void afterEachStep(Runnable check) {
    afterEachStep.add(check);
  }

  /** Lets the next thing happen, if it does by then. */
  private boolean stepUntil(long endNanos) {
    Happening next = future.peek();
    if (next == null || next.atNanos - endNanos > 0) {
      return false;
    }
    future.remove();
    if (next.cancelled) {
      return true;
    }
    nowNanos = Math.max(nowNanos, next.atNanos);
    steps++;
    if (steps > STEPS_MAX) {
      throw new Violation(Violation.Rule.LIVENESS, "it goes on and on");
    }
    mark(next.number ^ nowNanos);
    next.work.run();
    afterEachStep.forEach(Runnable::run);
    if (found != null) {
      throw found;
    }
    return true;
  }

  /** Lets time pass, with all that happens in it. May be called by what happens. */
  public void advance(Duration duration) {
    long endNanos = nowNanos + duration.toNanos();
    boolean stepped = true;
    while (stepped) {
      stepped = stepUntil(endNanos);
    }
    nowNanos = Math.max(nowNanos, endNanos);
  }

  /** Ends the run after this step, from where a violation cannot be thrown. */
  void fail(Violation violation) {
    if (found == null) {
      found = violation;
    }
  }

  /** Notes that something which has to come to pass has done so. */
  void count(Occurrence occurrence) {
    occurrences.merge(occurrence, 1L, Long::sum);
  }

  /** Returns how often each thing has come to pass that did at all. */
  Map<Occurrence, Long> occurrences() {
    return occurrences;
  }

  /** Returns how many things have happened. */
  public long steps() {
    return steps;
  }

  /** Mixes a number into the fingerprint. */
  public void mark(long value) {
    fingerprint = (fingerprint ^ value) * 0x9E3779B97F4A7C15L;
    fingerprint ^= fingerprint >>> 32;
  }

  /** Returns a number that two runs only share if the same has happened in both. */
  public long fingerprint() {
    return fingerprint;
  }

  /** Writes down what is told from here on. */
  public void startTracing() {
    tracing = true;
  }

  /** Says what happens, for whoever looks for the cause of a violation. */
  public void tell(Supplier<String> what) {
    if (tracing) {
      if (trace.size() >= TRACE_LINES_MAX) {
        trace.subList(0, TRACE_LINES_MAX / 2).clear();
      }
      trace.add("%12.6f %s".formatted(nowNanos / 1e9, what.get()));
    }
  }

  /** Returns what has been told, the oldest lines left out where there were many. */
  public List<String> trace() {
    return List.copyOf(trace);
  }

  private static final class Happening implements Comparable<Happening>, Timer.Cancellable {
    final long atNanos;
    final long number;
    final Runnable work;
    boolean cancelled;

    Happening(long atNanos, long number, Runnable work) {
      this.atNanos = atNanos;
      this.number = number;
      this.work = work;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(Happening other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }
}
