package io.leasehold.bench.peers;

/**
 * A rule that a peer does not keep.
 *
 * @param isCertain whether it breaks it every time, and not only in some interleavings
 */
record Breach(String reason, boolean isCertain) {

  static Breach always(String reason) {
    return new Breach(reason, true);
  }

  static Breach sometimes(String reason) {
    return new Breach(reason, false);
  }
}
