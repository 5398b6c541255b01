package io.leasehold.harness.cli;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi.Style;

/**
 * Colours, where there is a terminal that shows them and NO_COLOR is not set.
 *
 * @param isWanted whether there are any
 */
record Ink(boolean isWanted) {

  /** As the command line is set up: by default it looks at where its output goes. */
  static Ink of(CommandLine commandLine) {
    return new Ink(commandLine.getColorScheme().ansi().enabled());
  }

  /**
   * Text in a style, whatever is in the text. It ends with a reset, for the code that ends bold
   * text means a double underline to many terminals.
   */
  String paint(Style style, String text) {
    return isWanted && !text.isEmpty() ? style.on() + text + Style.reset.on() : text;
  }
}
