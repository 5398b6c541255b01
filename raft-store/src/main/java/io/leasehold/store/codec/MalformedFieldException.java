package io.leasehold.store.codec;

/** A field is missing, too large or unknown. Each codec says in which of its values. */
final class MalformedFieldException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MalformedFieldException(String message) {
    super(message);
  }
}
