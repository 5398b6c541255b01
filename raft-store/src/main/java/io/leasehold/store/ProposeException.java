package io.leasehold.store;

import org.jspecify.annotations.Nullable;

/** Why one attempt did not bring a reply. The message says what to do next. */
public final class ProposeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean certainlyNotApplied;

  /**
   * @param message what happened
   * @param certainlyNotApplied whether the attempt was rejected before it could reach the log
   * @param cause what the engine said
   */
  public ProposeException(String message, boolean certainlyNotApplied, @Nullable Throwable cause) {
    super(message, cause);
    this.certainlyNotApplied = certainlyNotApplied;
  }

  /** Whether this attempt certainly had no effect and never will have. */
  public boolean certainlyNotApplied() {
    return certainlyNotApplied;
  }
}
