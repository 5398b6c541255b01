package io.leasehold.harness;

/** Foreign text made fit for one line of a message: quoted, printable, of bounded length. */
public final class Quoted {

  private static final int LENGTH_MAX = 80;

  private Quoted() {}

  /** Returns the text in quotes, control characters escaped, cut after 80 characters. */
  public static String text(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .limit(LENGTH_MAX)
        .forEach(
            c -> {
              if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE) {
                quoted.append("\\u%04x".formatted(c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    if (text.codePointCount(0, text.length()) > LENGTH_MAX) {
      quoted.append('…');
    }
    return quoted.append('"').toString();
  }
}
