package io.leasehold.harness.cli;

import java.util.ArrayList;
import java.util.List;

/** Columns of text, each as wide as its widest cell. */
final class Table {

  private final List<String[]> rows = new ArrayList<>();

  Table(String... heading) {
    rows.add(heading);
  }

  void add(String... cells) {
    rows.add(cells);
  }

  String text() {
    int columns = rows.get(0).length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], length(row[i]));
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row[i]).append(" ".repeat(widths[i] - length(row[i]) + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
