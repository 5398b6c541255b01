package io.leasehold.fencing;

import io.leasehold.InvalidLeaseArgumentException;

/** The one comparison that all resources make. */
final class Tokens {

  /** Less than every token. */
  static final long NONE = 0;

  private Tokens() {}

  static void requireValid(long token) {
    if (token <= NONE) {
      throw new InvalidLeaseArgumentException("token", "must be positive: " + token);
    }
  }

  static void refuseStale(long token, long seen) {
    if (token < seen) {
      throw new StaleTokenException(token, seen);
    }
  }
}
