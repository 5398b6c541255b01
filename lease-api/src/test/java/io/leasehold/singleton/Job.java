package io.leasehold.singleton;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A task that ends when the test says so, and remembers each of its runs. */
final class Job implements AsyncSingletonTask {

  private final List<Run> runs = new ArrayList<>();

  /** One run: under which hold, whether it was told to end, and how it ended. */
  static final class Run {
    final SingletonContext context;
    final CompletableFuture<Void> ended = new CompletableFuture<>();
    int cancellations;

    Run(SingletonContext context) {
      this.context = context;
      context.onCancel(() -> cancellations++);
    }

    boolean isRunning() {
      return !ended.isDone();
    }

    void end() {
      ended.complete(null);
    }
  }

  @Override
  public CompletionStage<?> start(SingletonContext context) {
    Run run = new Run(context);
    runs.add(run);
    return run.ended;
  }

  int started() {
    return runs.size();
  }

  boolean isRunning() {
    return !runs.isEmpty() && last().isRunning();
  }

  Run last() {
    return runs.get(runs.size() - 1);
  }
}
