package io.leasehold.store.core;

/** Names one incarnation of a node for ever: 128 random bits, chosen by the node itself. */
public record SessionId(long high, long low) implements Comparable<SessionId> {

  @Override
  public int compareTo(SessionId other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    return "%016x%016x".formatted(high, low);
  }
}
