package io.leasehold.holder;

/** An acquire or a release of a hold; they take effect one after the other. */
interface Step {

  /** The steps before it have ended. It says itself when it has. */
  void begin();

  /** Whether somebody has called for it. */
  boolean isAwaited();

  /** The provider is being closed. */
  void close();
}
