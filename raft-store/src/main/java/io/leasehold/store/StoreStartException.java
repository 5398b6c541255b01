package io.leasehold.store;

import org.jspecify.annotations.Nullable;

/**
 * Why a node could not start. The message is one sentence for people: what is wrong, what to do.
 */
public final class StoreStartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param message may repeat what stands in a damaged file: control characters are shown as {@code
   *     ?}, for it gets to people's terminals
   */
  public StoreStartException(String message, @Nullable Throwable cause) {
    super(message.replaceAll("\\p{Cntrl}", "?"), cause);
  }
}
