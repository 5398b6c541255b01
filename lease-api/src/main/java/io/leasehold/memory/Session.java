package io.leasehold.memory;

/** One running node incarnation as the store knows it. Confined to the shared store's lock. */
final class Session {

  private final Node node;
  private final long ordinal;
  private long renewedNanos;

  Session(Node node, long ordinal, long renewedNanos) {
    this.node = node;
    this.ordinal = ordinal;
    this.renewedNanos = renewedNanos;
  }

  Node node() {
    return node;
  }

  boolean isOlderThan(Session other) {
    return ordinal < other.ordinal;
  }

  void renew(long nowNanos) {
    renewedNanos = nowNanos;
  }

  long expiryNanos(long ttlNanos) {
    return renewedNanos + ttlNanos;
  }
}
