package io.leasehold.bench.load;

import java.util.concurrent.CompletableFuture;

/** Threads for callers that block. */
final class CallerThreads {

  private CallerThreads() {}

  /** Runs a task on a daemon thread of its own; completes when it has ended. */
  static CompletableFuture<Void> run(String name, Runnable task) {
    CompletableFuture<Void> finished = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } finally {
                finished.complete(null);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return finished;
  }
}
