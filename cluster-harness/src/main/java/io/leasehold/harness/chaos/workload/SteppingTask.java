package io.leasehold.harness.chaos.workload;

import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Task;
import io.leasehold.singleton.SingletonContext;
import io.leasehold.singleton.SingletonTask;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A singleton's task that works in small steps and asks before each whether it may. It ends by
 * itself, or fails, or goes on until it may not; then it may take a while to end, as one does that
 * has to tidy up. All of that is recorded. Confined to the thread that it runs on.
 */
final class SteppingTask implements SingletonTask {

  private final Handle handle;
  private final Duration ttl;
  private final Recorder recorder;
  private final Mix mix;

  /**
   * @param mix for nobody else
   */
  SteppingTask(Handle handle, Duration ttl, Recorder recorder, Mix mix) {
    this.handle = handle;
    this.ttl = ttl;
    this.recorder = recorder;
    this.mix = mix;
  }

  @Override
  public void run(SingletonContext context) {
    Run run = new Run(context, recorder.nextCall());
    run.record(Task.Moment.START);
    context.onCancel(run::cancelled);
    try {
      run.work();
    } finally {
      run.end();
    }
  }

  private final class Run {
    private final SingletonContext context;
    private final long number;
    private volatile boolean ended;

    Run(SingletonContext context, long number) {
      this.context = context;
      this.number = number;
    }

    void work() {
      long enough = recorder.now() + mix.task(ttl).toNanos();
      while (step()) {
        if (recorder.now() - enough > 0) {
          if (mix.fails()) {
            throw new IllegalStateException("the task fails, as tasks do now and then");
          }
          return;
        }
      }
      long tidied = recorder.now() + mix.linger(ttl).toNanos();
      while (recorder.now() - tidied < 0) {
        boolean unusedAsItLingers = Thread.interrupted();
        boolean unusedAsItEndsAnyway = step();
      }
    }

    /** Asks, and does what a step does; false when it may not. */
    private boolean step() {
      long before = recorder.now();
      boolean alive = context.checkAlive();
      write(before, recorder.now(), alive ? Task.Moment.ALIVE : Task.Moment.NOT_ALIVE);
      LockSupport.parkNanos(mix.step().toNanos());
      return alive;
    }

    /** On any thread. One that has ended is told to end, too, which is nothing to record. */
    void cancelled() {
      long now = recorder.now();
      if (!ended) {
        write(now, now, Task.Moment.CANCEL);
      }
    }

    void end() {
      ended = true;
      record(Task.Moment.END);
    }

    void record(Task.Moment moment) {
      long now = recorder.now();
      write(now, now, moment);
    }

    private void write(long from, long at, Task.Moment moment) {
      recorder.write(new Task(from, at, number, handle, context.fencingToken(), moment));
    }
  }
}
