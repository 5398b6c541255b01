package io.leasehold.store.codec;

/** Bytes from a member are not a reply of this version. */
public final class MalformedReplyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MalformedReplyException(String message, Throwable cause) {
    super(message, cause);
  }
}
