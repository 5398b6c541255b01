package io.leasehold.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One at a time, in order, whatever the tasks do. */
final class StrandTest {

  private final Strand strand = new Strand();
  private final List<String> ran = new ArrayList<>();

  @Test
  void taskOfATaskRunsAfterIt() {
    strand.execute(
        () -> {
          strand.execute(() -> ran.add("inner"));
          ran.add("outer");
        });

    assertThat(ran).containsExactly("outer", "inner");
  }

  @Test
  void taskThatThrowsAnythingDoesNotKeepOthersFromRunning() {
    strand.execute(
        () -> {
          throw new IllegalStateException("a test's");
        });
    strand.execute(
        () -> {
          throw new OutOfMemoryError("a test's");
        });
    strand.execute(() -> ran.add("next"));

    assertThat(ran).containsExactly("next");
  }

  @Test
  void failureGoesToWhoeverWantsIt() {
    List<Throwable> failures = new ArrayList<>();
    Strand telling =
        new Strand(
            failure -> {
              failures.add(failure);
              throw new IllegalStateException("it cannot even be told");
            });
    IllegalStateException thrown = new IllegalStateException("a test's");

    telling.execute(
        () -> {
          throw thrown;
        });
    telling.execute(() -> ran.add("next"));

    assertThat(failures).containsExactly(thrown);
    assertThat(ran).containsExactly("next");
  }
}
