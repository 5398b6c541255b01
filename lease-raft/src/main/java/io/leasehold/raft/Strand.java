package io.leasehold.raft;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time in the order they came, on whichever thread finds it idle: no thread of
 * its own and no hand-over when nothing contends. What is confined to a strand needs no lock, and a
 * task sees all that earlier ones did. Tasks must not block and must not call user code. Safe for
 * many threads.
 */
final class Strand implements Executor {

  private static final Logger LOG = LoggerFactory.getLogger(Strand.class);

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicLong unfinished = new AtomicLong();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (unfinished.getAndIncrement() == 0) {
      drain();
    }
  }

  private void drain() {
    do {
      Runnable task = tasks.remove();
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        // The next task must run whatever happened to this one; what it left undone ends by a
        // deadline.
        tell(e);
      }
    } while (unfinished.decrementAndGet() > 0);
  }

  private static void tell(Throwable failure) {
    try {
      LOG.error("A task of the lease node failed; please report this", failure);
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e); // with no memory left even that may fail
    }
  }
}
