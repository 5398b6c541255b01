package io.leasehold.harness.cli;

/** A command cannot go on; the message is all there is to say. */
final class CommandFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CommandFailedException(String message) {
    super(message);
  }
}
