package io.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * The operation may or may not have had an effect: it was handed over and no answer came in time.
 * The lease is not held locally; what may have been granted is given back in the background and
 * ends with the time to live at the latest.
 */
public final class LeaseIndeterminateException extends LeaseException {

  private static final long serialVersionUID = 1L;

  /**
   * Without a cause.
   *
   * @param message what happened, and what to do next
   */
  public LeaseIndeterminateException(String message) {
    super(message, null);
  }

  /**
   * With a cause.
   *
   * @param message what happened, and what to do next
   * @param cause what failed underneath; null if nothing did
   */
  public LeaseIndeterminateException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
