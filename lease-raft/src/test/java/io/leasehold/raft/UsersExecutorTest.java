package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** A user's executor that refuses costs nobody a callback. */
final class UsersExecutorTest {

  private final List<String> ran = new ArrayList<>();
  private final Executor instead =
      task -> {
        ran.add("instead");
        task.run();
      };

  @Test
  void taskThatIsTakenRunsThere() {
    new UsersExecutor(Runnable::run, instead).execute(() -> ran.add("task"));

    assertThat(ran).containsExactly("task");
  }

  @Test
  void taskThatIsRefusedRunsElsewhere() {
    Executor full =
        task -> {
          throw new RejectedExecutionException("full");
        };

    new UsersExecutor(full, instead).execute(() -> ran.add("task"));

    assertThat(ran).containsExactly("instead", "task");
  }

  @Test
  void taskForWhichThereIsNoThreadRunsElsewhere() {
    Executor exhausted =
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        };

    new UsersExecutor(exhausted, instead).execute(() -> ran.add("task"));

    assertThat(ran).containsExactly("instead", "task");
  }

  @Test
  void taskThatIsTakenAndRefusedRunsOnce() {
    Executor confused =
        task -> {
          task.run();
          throw new IllegalStateException("after all");
        };

    new UsersExecutor(confused, Runnable::run).execute(() -> ran.add("task"));

    assertThat(ran).containsExactly("task");
  }

  @Test
  void taskThatThrowsHasRun() {
    new UsersExecutor(Runnable::run, instead)
        .execute(
            () -> {
              ran.add("task");
              throw new AssertionError("a test's");
            });

    assertThat(ran).containsExactly("task");
  }
}
