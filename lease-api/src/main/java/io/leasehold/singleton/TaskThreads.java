package io.leasehold.singleton;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Runs a task on a thread of its own, which is interrupted when it is cancelled. */
final class TaskThreads implements AsyncSingletonTask {

  private final SingletonTask task;
  private final ThreadFactory threads;
  private volatile @Nullable Thread running;

  TaskThreads(SingletonTask task, ThreadFactory threads) {
    this.task = task;
    this.threads = threads;
  }

  @Override
  public CompletionStage<?> start(SingletonContext context) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Thread thread = threads.newThread(() -> run(context, ended));
    if (thread == null) {
      throw new IllegalStateException("The thread factory gave no thread");
    }
    thread.start();
    context.onCancel(thread::interrupt);
    return ended;
  }

  /** Whether it is the task itself that asks. */
  boolean isOnTaskThread() {
    return running == Thread.currentThread();
  }

  private void run(SingletonContext context, CompletableFuture<Void> ended) {
    running = Thread.currentThread();
    try {
      task.run(context);
      ended.complete(null);
    } catch (Throwable failure) { // whatever it is, the task does not run any more
      ended.completeExceptionally(failure);
    }
  }
}
