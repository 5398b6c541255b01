package io.leasehold;

/** A registration that lasts until it is closed. */
public interface Subscription extends AutoCloseable {

  /**
   * Ends the registration; idempotent, throws nothing. A call of the handler under way is not
   * awaited.
   */
  @Override
  void close();
}
