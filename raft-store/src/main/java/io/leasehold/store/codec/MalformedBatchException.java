package io.leasehold.store.codec;

/** Bytes from a node are not a batch of this version. Nothing of them may take effect. */
public final class MalformedBatchException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MalformedBatchException(String message, Throwable cause) {
    super(message, cause);
  }
}
