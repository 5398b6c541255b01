package io.leasehold.memory;

import io.leasehold.LeaseSettings;
import io.leasehold.holder.Trust;

/**
 * A hold as its node believes in it. It is trusted until {@link #trustNanos} past the node's last
 * acknowledged request; once somebody has seen it past that deadline it is never trusted again.
 * Confined to the shared store's lock, except what says otherwise.
 */
final class Grant {

  private final long token;
  private final LeaseSettings settings;
  private final long trustNanos;
  private volatile boolean distrusted;
  private boolean confirmed;

  Grant(long token, LeaseSettings settings) {
    this.token = token;
    this.settings = settings;
    this.trustNanos = Trust.nanosOf(settings);
  }

  long token() {
    return token;
  }

  /** Returns what it was acquired with. */
  LeaseSettings settings() {
    return settings;
  }

  /** How long past an acknowledged request it is trusted. */
  long trustNanos() {
    return trustNanos;
  }

  /**
   * Whether it can be trusted now. The answer never turns from false to true, also when an
   * acknowledgement moves the deadline at the same moment. Safe for many threads.
   */
  boolean isTrusted(Renewal renewal) {
    if (distrusted) {
      return false;
    }
    if (renewal.isPastDeadline(trustNanos)) {
      distrusted = true;
      return false;
    }
    return true;
  }

  /** Notes that a second acquire was told of this grant, so that the first cannot undo it. */
  void confirm() {
    confirmed = true;
  }

  boolean isConfirmed() {
    return confirmed;
  }
}
