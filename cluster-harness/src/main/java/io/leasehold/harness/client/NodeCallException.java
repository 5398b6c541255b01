package io.leasehold.harness.client;

import io.leasehold.harness.wire.ErrorView;
import org.jspecify.annotations.Nullable;

/** A call to a node brought no proper answer; the message is one sentence. */
public final class NodeCallException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final transient @Nullable ErrorView error;

  private NodeCallException(
      String message, int status, @Nullable ErrorView error, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
    this.error = error;
  }

  static NodeCallException refused(int status, ErrorView error) {
    return new NodeCallException(error.message(), status, error, null);
  }

  static NodeCallException unreachable(String message, Throwable cause) {
    return new NodeCallException(message, 0, null, cause);
  }

  /** The HTTP status; 0 when there was no answer at all. */
  public int status() {
    return status;
  }

  /** {@code invalid}, {@code unavailable} …; {@code unreachable} when there was no answer. */
  public String error() {
    return error == null ? "unreachable" : error.error();
  }

  /** Whether the call certainly had no effect on any lease. */
  public boolean certainlyNoEffect() {
    return error != null
        && (error.error().equals("invalid") || error.error().equals("unavailable"));
  }
}
