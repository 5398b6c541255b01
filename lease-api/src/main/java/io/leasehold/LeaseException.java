package io.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * Why a lease operation could not be answered. A user treats the two kinds differently: {@link
 * LeaseUnavailableException} is safe to try again, {@link LeaseIndeterminateException} may have had
 * an effect.
 */
public abstract sealed class LeaseException extends RuntimeException
    permits LeaseUnavailableException, LeaseIndeterminateException {

  private static final long serialVersionUID = 1L;

  LeaseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
