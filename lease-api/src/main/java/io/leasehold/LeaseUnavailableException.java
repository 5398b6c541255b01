package io.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * The operation certainly had no effect, for example because no leader could be reached in time, a
 * limit of the store was reached or the provider is closed. Trying again later is safe.
 */
public final class LeaseUnavailableException extends LeaseException {

  private static final long serialVersionUID = 1L;

  public LeaseUnavailableException(String message) {
    super(message, null);
  }

  public LeaseUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
