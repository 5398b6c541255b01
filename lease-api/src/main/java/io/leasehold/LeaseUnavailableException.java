package io.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * The operation certainly had no effect, for example because no leader could be reached in time, a
 * limit of the store was reached or the provider is closed. Trying again later is safe.
 */
public final class LeaseUnavailableException extends LeaseException {

  private static final long serialVersionUID = 1L;

  /**
   * Without a cause.
   *
   * @param message what happened, and what to do next
   */
  public LeaseUnavailableException(String message) {
    super(message, null);
  }

  /**
   * With a cause.
   *
   * @param message what happened, and what to do next
   * @param cause what failed underneath; null if nothing did
   */
  public LeaseUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
