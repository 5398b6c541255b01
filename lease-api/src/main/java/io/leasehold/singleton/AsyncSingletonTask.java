package io.leasehold.singleton;

import java.util.concurrent.CompletionStage;

/** The work of a {@link Singleton} that needs no thread of its own. */
@FunctionalInterface
public interface AsyncSingletonTask {

  /**
   * Begins the work; must not block. It has to end soon after {@link SingletonContext#onCancel} has
   * told it to.
   *
   * @return completes, normally or not, when nothing of it runs any more; the rest is as with
   *     {@link SingletonTask}
   * @throws Exception if it could not begin, and nothing of it runs
   */
  CompletionStage<?> start(SingletonContext context) throws Exception;
}
