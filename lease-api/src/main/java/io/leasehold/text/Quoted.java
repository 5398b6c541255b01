package io.leasehold.text;

/**
 * Text that others have sent, made fit for one line of a log or a message: nothing in it ends the
 * line or speaks to a terminal, and it has a bounded length.
 */
public final class Quoted {

  private static final int QUOTE_MAX = 80;
  private static final int LINE_MAX = 400;

  private Quoted() {}

  /** Returns the text in quotes, control characters escaped, cut after 80 characters. */
  public static String text(String text) {
    return '"' + escaped(text, QUOTE_MAX) + '"';
  }

  /** Returns a sentence that may repeat such text, escaped, cut after 400 characters. */
  public static String line(String text) {
    return escaped(text, LINE_MAX);
  }

  private static String escaped(String text, int max) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .limit(max)
        .forEach(
            c -> {
              if (isPrintable(c)) {
                escaped.appendCodePoint(c);
              } else {
                escaped.append("\\u%04x".formatted(c));
              }
            });
    if (text.codePointCount(0, text.length()) > max) {
      escaped.append('…');
    }
    return escaped.toString();
  }

  /** Line ends of Unicode, and marks that turn the direction of text, are no characters to see. */
  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
