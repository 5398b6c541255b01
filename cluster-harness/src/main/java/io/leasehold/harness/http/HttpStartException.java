package io.leasehold.harness.http;

import org.jspecify.annotations.Nullable;

/** The HTTP server cannot start; the message is one sentence that says why and what to do. */
public final class HttpStartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public HttpStartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
