package io.leasehold.store.ratis;

import java.time.Duration;
import java.util.Arrays;
import org.apache.ratis.grpc.GrpcUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a Raft server in bounded time. Confined to the thread that closes the node.
 *
 * <p>Ratis waits up to three seconds for each of its two connections to each member to end in
 * order, and a connection ends in order only if the member still answers. Nobody has a use for that
 * order here. The waiting threads are Ratis' own and cannot be named to it, but they are started by
 * the closing one and so are in its thread group: after a moment those that wait for a connection,
 * and only those, are interrupted, whereupon Ratis cuts it.
 *
 * <p>What then remains is up to a second until the writer of the log notices that it is to stop.
 */
final class ServerClosing {

  private static final Logger LOG = LoggerFactory.getLogger(ServerClosing.class);

  /** How long connections may take to end in order. */
  private static final Duration GRACE = Duration.ofMillis(200);

  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration STEP = Duration.ofMillis(20);

  private final ThreadGroup group;
  private final Thread thread;

  /**
   * @param name of the thread that closes
   * @param close closes the server and what is to follow
   */
  ServerClosing(String name, Runnable close) {
    group = new ThreadGroup(name);
    thread = new Thread(group, close, name);
    thread.setDaemon(true);
  }

  /** Returns when everything is closed; if that takes too long, leaves it to the background. */
  void run() {
    thread.start();
    try {
      thread.join(GRACE.toMillis());
      for (long waited = 0; thread.isAlive() && waited < LIMIT.toMillis(); ) {
        cutConnections();
        thread.join(STEP.toMillis());
        waited += STEP.toMillis();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.warn("{} goes on in the background", thread.getName());
    }
  }

  private void cutConnections() {
    Thread[] threads = new Thread[group.activeCount() + 8];
    int count = group.enumerate(threads);
    Arrays.stream(threads, 0, count)
        .filter(ServerClosing::waitsForConnection)
        .forEach(Thread::interrupt);
  }

  private static boolean waitsForConnection(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().equals(GrpcUtil.class.getName())
                    && frame.getMethodName().equals("shutdownManagedChannel"));
  }
}
