package io.leasehold.store.codec;

/** The value of a row of the table is not of this version. */
public final class MalformedRowException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MalformedRowException(String message, Throwable cause) {
    super(message, cause);
  }
}
