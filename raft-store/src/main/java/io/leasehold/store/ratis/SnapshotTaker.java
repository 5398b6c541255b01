package io.leasehold.store.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.store.ProposeException;
import io.leasehold.store.codec.RowCodec;
import io.leasehold.store.rocks.RocksLeaseTable;
import io.leasehold.time.DurationText;
import io.leasehold.time.Timer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots of the table and lets go of the log before them, on a thread of its own: entries
 * go on being applied. Ratis would do both on the thread that applies.
 *
 * <p>The log is kept from the last snapshot but one on, so a member that was away for a moment gets
 * what it has missed and not the whole table. Safe for many threads.
 */
final class SnapshotTaker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotTaker.class);
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long LOOK_MILLIS = 10;

  private final String nodeId;
  private final Supplier<RocksLeaseTable> table;
  private final SnapshotFiles files;
  private final SnapshotSchedule schedule;
  private final Log log;
  private final Failure failure;
  private final Timer timer;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private @Nullable CompletableFuture<Long> underWay;

  @GuardedBy("lock")
  private @Nullable Thread thread;

  @GuardedBy("lock")
  private boolean closed;

  /**
   * @param table to be copied; may throw while there is none
   * @param files where the copies go
   * @param failure told when none can be taken
   * @param timer ends the waiting of who has asked for one
   */
  SnapshotTaker(
      String nodeId,
      Supplier<RocksLeaseTable> table,
      SnapshotFiles files,
      SnapshotSchedule schedule,
      Log log,
      Failure failure,
      Timer timer) {
    this.nodeId = nodeId;
    this.table = table;
    this.files = files;
    this.schedule = schedule;
    this.log = log;
    this.failure = failure;
    this.timer = timer;
  }

  /** This member's log, of which a snapshot takes the place. */
  interface Log {

    /** Returns the last entry of the log that is on disk. */
    long flushedIndex();

    /**
     * Returns the last entry that is known to be everywhere it is on its way to: in the logs of all
     * members that follow this one and answer.
     */
    long sharedIndex();

    /** Drops entries up to here, as far as whole files can be. */
    void purge(long index);
  }

  /** Is told why this member cannot go on. */
  interface Failure {
    void failed(String what, Throwable cause);
  }

  /** Takes one if it is due. */
  void tick() {
    if (schedule.isDue()) {
      var unused = take();
    }
  }

  /**
   * Takes one, or joins in the one under way.
   *
   * @return completes with the index of the newest one; fails with {@link ProposeException}
   */
  CompletableFuture<Long> take() {
    CompletableFuture<Long> taken = new CompletableFuture<>();
    long replacements = files.replacements();
    synchronized (lock) {
      if (underWay != null) {
        return underWay;
      } else if (closed || files.isBeingReplaced()) {
        refuse(taken, "no snapshot can be taken now", null);
        return taken;
      }
      Thread taking =
          new Thread(() -> take(taken, replacements), "leasehold-" + nodeId + "-snapshot");
      taking.setDaemon(true);
      taking.start();
      underWay = taken;
      thread = taking;
      schedule.begun();
    }
    Timer.Cancellable limit =
        timer.schedule(
            LIMIT,
            () -> refuse(taken, "no snapshot was taken within " + DurationText.of(LIMIT), null));
    var unused = taken.whenComplete((index, e) -> limit.cancel());
    return taken;
  }

  private void take(CompletableFuture<Long> taken, long replacements) {
    try {
      long index = takeNow();
      end();
      if (index > 0) {
        taken.complete(index);
      } else {
        refuse(taken, "there is nothing yet to take a snapshot of", null);
      }
    } catch (IOException | RuntimeException | Error e) {
      boolean stopping = end();
      if (stopping || files.replacements() != replacements) {
        LOG.debug("the table that was to be copied is gone", e);
        refuse(taken, "no snapshot can be taken now", e);
      } else {
        // Ratis would go on, with a log that grows on a disk that fails.
        failure.failed("this member cannot take a snapshot", e);
        refuse(taken, "this member cannot take a snapshot", e);
      }
    }
  }

  private static void refuse(CompletableFuture<Long> taken, String why, @Nullable Throwable cause) {
    taken.completeExceptionally(new ProposeException(why, true, cause));
  }

  /** Returns whether this has been closed meanwhile. */
  private boolean end() {
    synchronized (lock) {
      underWay = null;
      return closed;
    }
  }

  private long takeNow() throws IOException {
    RocksLeaseTable current = table.get();
    long newest = files.latest().map(TermIndex::getIndex).orElse(0L);
    if (current.appliedIndex() > newest) {
      RowCodec.Applied at = current.checkpoint(files.begin());
      awaitOnDisk(at.index());
      if (files.publish(TermIndex.valueOf(at.term(), at.index()))) {
        schedule.taken();
        LOG.info("snapshot taken at index {}", at.index());
      }
    }
    files.retain(log.sharedIndex()).ifPresent(log::purge);
    return files.latest().map(TermIndex::getIndex).orElse(0L);
  }

  /**
   * A leader may apply what the others have on disk and it does not. The snapshot must not say that
   * its log has been further than it has.
   */
  private void awaitOnDisk(long index) throws InterruptedIOException {
    synchronized (lock) {
      while (log.flushedIndex() < index) {
        if (closed) {
          throw new InterruptedIOException("the node is closed");
        }
        try {
          lock.wait(LOOK_MILLIS);
        } catch (InterruptedException e) {
          throw new InterruptedIOException("interrupted");
        }
      }
    }
  }

  /** Takes none any more; one that is under way comes to nothing. Does not wait for it. */
  void stop() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
  }

  /** Stops, and waits a while for the end of one that is under way: its disk may stand still. */
  @Override
  public void close() {
    stop();
    Thread last;
    synchronized (lock) {
      last = thread;
    }
    if (last != null && last != Thread.currentThread()) {
      try {
        last.join(LIMIT.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
