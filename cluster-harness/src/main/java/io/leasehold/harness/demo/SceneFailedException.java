package io.leasehold.harness.demo;

/** A scene cannot be played on; the message says what went wrong. */
final class SceneFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SceneFailedException(String message) {
    super(message);
  }
}
