package io.leasehold.store.core;

import java.util.stream.LongStream;

/** The seeds of a random test: 1 to a count, or the one given by {@code -Dseed=N}. */
public final class Seeds {

  private Seeds() {}

  public static LongStream upTo(int count) {
    Long one = Long.getLong("seed");
    return one != null ? LongStream.of(one) : LongStream.rangeClosed(1, count);
  }
}
