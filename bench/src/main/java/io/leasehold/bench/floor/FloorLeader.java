package io.leasehold.bench.floor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The node that callers use: one thread takes all that has been asked meanwhile as one batch, has
 * it replicated, applies and answers it, and again. Safe for many threads.
 */
final class FloorLeader implements AutoCloseable {

  static final int REQUESTS_MAX = 1024;

  static final int FRAME_BYTES_MAX = Integer.BYTES + REQUESTS_MAX * FloorRequest.BYTES_MAX;

  private final FloorReplication replication;
  private final BlockingQueue<FloorRequest> asked = new LinkedBlockingQueue<>();
  private final FloorTable table = new FloorTable();
  private volatile @Nullable Throwable end;
  private final Thread thread = new Thread(this::lead, "floor-leader");

  private FloorLeader(FloorReplication replication) {
    this.replication = replication;
  }

  /** Starts to serve; the replication is the leader's from now on. */
  static FloorLeader start(FloorReplication replication) {
    FloorLeader leader = new FloorLeader(replication);
    leader.thread.setDaemon(true);
    leader.thread.start();
    return leader;
  }

  /** Completes when a request is kept and decided; fails when the leader has ended. */
  CompletableFuture<Boolean> ask(FloorRequest.Kind kind, String lease, String owner) {
    FloorRequest request = new FloorRequest(kind, lease, owner, new CompletableFuture<>());
    asked.add(request);
    if (end != null) {
      failAll(asked);
    }
    return request.answer();
  }

  private void lead() {
    ByteBuffer frame = ByteBuffer.allocateDirect(FRAME_BYTES_MAX);
    List<FloorRequest> batch = new ArrayList<>(REQUESTS_MAX);
    try (replication) {
      while (true) {
        batch.add(asked.take());
        int unused = asked.drainTo(batch, REQUESTS_MAX - 1);
        frame.clear().position(Integer.BYTES);
        batch.forEach(request -> request.writeTo(frame));
        frame.putInt(0, frame.position() - Integer.BYTES);
        replication.replicate(frame.flip());
        batch.forEach(table::apply);
        batch.clear();
      }
    } catch (InterruptedException | IOException | RuntimeException e) {
      end = e;
      failAll(batch);
      failAll(asked);
    }
  }

  private void failAll(Collection<FloorRequest> requests) {
    IllegalStateException failure = new IllegalStateException("the floor has ended", end);
    requests.forEach(request -> request.answer().completeExceptionally(failure));
  }

  /** Ends it, when nothing is under way; who still waits for a lease is not answered. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
