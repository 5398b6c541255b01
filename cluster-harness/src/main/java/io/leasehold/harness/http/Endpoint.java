package io.leasehold.harness.http;

/** Answers one kind of call, now or later. */
@FunctionalInterface
interface Endpoint {

  /**
   * Answers a call. Runs on the loop and does not block.
   *
   * @throws Refusal when the request is wrong
   */
  void serve(Exchange exchange);
}
