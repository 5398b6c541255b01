package io.leasehold.harness.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Help.Ansi.Style;

/** Columns of text, each as wide as its widest cell. */
final class Table {

  private final List<Cell[]> rows = new ArrayList<>();

  Table(String... heading) {
    rows.add(cells(Style.bold, heading));
  }

  /**
   * One cell.
   *
   * @param style how it looks on a terminal
   */
  record Cell(String text, Style style) {

    static Cell plain(String text) {
      return new Cell(text, Style.reset);
    }

    int length() {
      return text.codePointCount(0, text.length());
    }

    String painted(Ink ink) {
      return style == Style.reset ? text : ink.paint(style, text);
    }
  }

  void add(String... cells) {
    rows.add(cells(Style.reset, cells));
  }

  void add(Cell... cells) {
    rows.add(cells);
  }

  private static Cell[] cells(Style style, String... texts) {
    return Arrays.stream(texts).map(text -> new Cell(text, style)).toArray(Cell[]::new);
  }

  String text(Ink ink) {
    int columns = rows.get(0).length;
    int[] widths = new int[columns];
    for (Cell[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (Cell[] row : rows) {
      int last = columns - 1;
      while (last > 0 && row[last].text().isBlank()) {
        last--;
      }
      for (int i = 0; i < last; i++) {
        text.append(row[i].painted(ink)).append(" ".repeat(widths[i] - row[i].length() + 2));
      }
      text.append(row[last].painted(ink)).append('\n');
    }
    return text.toString();
  }
}
