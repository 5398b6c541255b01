package io.leasehold.raft.simulation;

import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One run of a node's process: its monotonic clock, its timer, its threads, which can be stopped
 * and go on. All that happens in the process goes through {@link #run}. Confined to the world's
 * thread.
 */
public final class SimulatedProcess implements Ticker, Timer, Executor {

  private final World world;
  private final String node;
  private final long jitterNanosMax;
  private final Deque<Runnable> backlog = new ArrayDeque<>();
  private double rate;
  private long readingNanos;
  private long readAtNanos;
  private long suspendedNanos;
  private long suspendedAtNanos;
  private Clock clock = Clock.OF_BOOT;
  private Runnable onWaking = () -> {};
  private @Nullable Moment awaited;
  private Runnable atMoment = () -> {};
  private boolean suspended;
  private boolean paused;
  private boolean dead;

  /**
   * @param offsetNanos what its clock shows now
   * @param rate how fast its clock goes against real time
   * @param jitterNanosMax how late its threads may get to something
   */
  public SimulatedProcess(
      World world, String node, long offsetNanos, double rate, long jitterNanosMax) {
    this.world = world;
    this.node = node;
    this.rate = rate;
    this.jitterNanosMax = jitterNanosMax;
    this.readingNanos = offsetNanos;
    this.readAtNanos = world.nanos();
  }

  /** Which of the two clocks of its machine it goes by. */
  enum Clock {
    /** Counts a suspend. */
    OF_BOOT,
    /** Stands still in a suspend. */
    MONOTONIC
  }

  /** An instant in the life of what a process asks of the store. */
  enum Moment {
    /** The transport has it. */
    HANDED_OVER,
    /** It has left the process. */
    SENT,
    /** The answer is there, and nobody has looked at it. */
    ANSWERED
  }

  /** Has something done the next time that it gets to a moment. */
  void atNext(Moment moment, Runnable action) {
    awaited = moment;
    atMoment = action;
  }

  /** It has got to a moment. */
  void reached(Moment moment) {
    if (moment == awaited && isRunning()) {
      awaited = null;
      atMoment.run();
    }
  }

  /** Has it go by another clock from now on. */
  void goBy(Clock other) {
    clock = other;
  }

  /** Has something done on waking from a suspend, before anything else. */
  void onWaking(Runnable action) {
    onWaking = action;
  }

  /** Returns the node's name. */
  public String node() {
    return node;
  }

  @Override
  public long nanos() {
    return clock == Clock.OF_BOOT ? bootNanos() : monotonicNanos();
  }

  private long bootNanos() {
    return readingNanos + (long) ((world.nanos() - readAtNanos) * rate);
  }

  /** Returns what the clock shows that does not count suspends. */
  long monotonicNanos() {
    return (suspended ? suspendedAtNanos : bootNanos()) - suspendedNanos;
  }

  /** Lets its clock go at another rate from now on. */
  public void setRate(double newRate) {
    readingNanos = bootNanos();
    readAtNanos = world.nanos();
    rate = newRate;
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    Alarm alarm = new Alarm(nanos() + Math.max(0, delay.toNanos()), task);
    alarm.set();
    return alarm;
  }

  /** Runs a callback, as another thread of the process would. */
  @Override
  public void execute(Runnable callback) {
    world.after(jitter(), () -> run(callback));
  }

  private long jitter() {
    return world.between(0, jitterNanosMax);
  }

  /** Runs something in this process: now, or once it is not paused any more, or never. */
  public void run(Runnable work) {
    if (dead) {
      return;
    }
    if (paused) {
      backlog.add(work);
    } else {
      work.run();
    }
  }

  /** Whether its threads run. */
  public boolean isRunning() {
    return !dead && !paused;
  }

  /** Whether its machine is suspended. */
  boolean isSuspended() {
    return suspended;
  }

  /** Whether it has ended. */
  public boolean isDead() {
    return dead;
  }

  /** Stops its threads; its clock goes on. */
  public void pause() {
    paused = true;
  }

  /** Stops its threads and one of its clocks, as a suspend of the machine does. */
  public void suspend() {
    if (!suspended) {
      suspended = true;
      suspendedAtNanos = bootNanos();
    }
    pause();
  }

  /** Lets its threads go on, beginning with what they have missed. */
  public void resume() {
    boolean wakes = suspended;
    if (suspended) {
      suspendedNanos += bootNanos() - suspendedAtNanos;
      suspended = false;
    }
    if (paused) {
      paused = false;
      int missed = backlog.size();
      for (int i = 0; i < missed; i++) {
        Runnable work = backlog.remove();
        world.after(jitter(), () -> run(work));
      }
    }
    if (wakes) {
      run(onWaking);
    }
  }

  /** Ends it: nothing of it runs any more. */
  public void kill() {
    dead = true;
    backlog.clear();
  }

  @Override
  public String toString() {
    return node + (dead ? " (dead)" : paused ? " (paused)" : "");
  }

  /** A task that waits for its time on this process' clock. */
  private final class Alarm implements Cancellable {
    final long dueNanos;
    final Runnable task;
    Cancellable next = () -> {};
    boolean over;

    Alarm(long dueNanos, Runnable task) {
      this.dueNanos = dueNanos;
      this.task = task;
    }

    void set() {
      long localNanos = Math.max(0, dueNanos - nanos());
      long realNanos = (long) Math.ceil(localNanos / rate);
      next = world.after(realNanos + jitter(), () -> run(this::ring));
    }

    void ring() {
      if (over) {
        return;
      }
      if (nanos() - dueNanos < 0) {
        set(); // the clock has become slower meanwhile
        return;
      }
      over = true;
      task.run();
    }

    @Override
    public void cancel() {
      over = true;
      next.cancel();
    }
  }
}
