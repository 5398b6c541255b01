package io.leasehold.time;

/**
 * A source of elapsed time. Only differences mean anything; readings are compared by subtraction.
 */
@FunctionalInterface
public interface Ticker {

  /** Returns nanoseconds since some fixed moment, never less than before on any thread. */
  long nanos();
}
