package io.leasehold.harness.shards;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A request is not answered, for the reason that the message gives; it may be repeated. */
final class RequestRejectedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RequestRejectedException(String message) {
    super(message);
  }

  /** Says why a stage of an allocation failed. */
  static String reason(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RequestRejectedException
        ? String.valueOf(cause.getMessage())
        : "no answer; ask again";
  }
}
