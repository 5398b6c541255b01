package io.leasehold;

/**
 * A setting or argument outside its limits; the message names the field, the value and the limit.
 */
public final class InvalidLeaseArgumentException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String field;

  /**
   * Says what is wrong with one field.
   *
   * @param field its name
   * @param message the rest of the sentence, with the value and the limit
   */
  public InvalidLeaseArgumentException(String field, String message) {
    super(field + " " + message);
    this.field = field;
  }

  /** Returns the name of the offending field, such as {@code ttl}. */
  public String field() {
    return field;
  }
}
