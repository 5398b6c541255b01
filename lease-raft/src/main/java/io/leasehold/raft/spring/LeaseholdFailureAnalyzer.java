package io.leasehold.raft.spring;

import io.leasehold.store.StoreStartException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows people why a node could not start: the sentence that says it, and no stack trace. */
final class LeaseholdFailureAnalyzer extends AbstractFailureAnalyzer<RuntimeException> {

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, RuntimeException any) {
    Throwable cause = findCause(root, LeaseholdPropertyException.class);
    if (cause == null) {
      cause = findCause(root, StoreStartException.class);
    }
    return cause == null ? null : new FailureAnalysis(cause.getMessage(), null, cause);
  }
}
