package io.leasehold.harness.chaos;

/** A fault cannot be injected here. The message says why, for the history and the report. */
final class FaultNotPossibleException extends Exception {

  FaultNotPossibleException(String message) {
    super(message);
  }
}
