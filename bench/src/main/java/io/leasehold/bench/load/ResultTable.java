package io.leasehold.bench.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results of one kind: for people as a table, for programs as lines of JSON. */
final class ResultTable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String workload;
  private final String title;
  private final List<Column> columns;
  private final List<List<Object>> rows = new ArrayList<>();

  /**
   * @param workload says in JSON which kind
   */
  ResultTable(String workload, String title, Column... columns) {
    this.workload = workload;
    this.title = title;
    this.columns = List.of(columns);
  }

  /** Adds a row: a text or a number for each column. */
  void add(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + columns.size());
    }
    rows.add(List.of(cells));
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Writes it as a table of Markdown, which also reads well as it is. */
  String toText() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(columns.stream().map(Column::heading).toList());
    for (List<Object> row : rows) {
      List<String> line = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        line.add(columns.get(i).text(row.get(i)));
      }
      lines.add(line);
    }
    int[] widths = new int[columns.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder("### ").append(title).append("\n\n");
    for (int l = 0; l < lines.size(); l++) {
      append(text, lines.get(l), widths);
      if (l == 0) {
        append(text, columns.stream().map(Column::rule).toList(), widths);
      }
    }
    return text.toString();
  }

  private void append(StringBuilder text, List<String> line, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      text.append(i == 0 ? "| " : " | ");
      String padding = " ".repeat(widths[i] - line.get(i).length());
      text.append(columns.get(i).isNumber() ? padding + line.get(i) : line.get(i) + padding);
    }
    text.append(" |\n");
  }

  /** Writes each row as one object of JSON on a line. */
  List<String> toJsonLines() {
    List<String> lines = new ArrayList<>();
    for (List<Object> row : rows) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("workload", workload);
      for (int i = 0; i < row.size(); i++) {
        object.put(columns.get(i).key(), row.get(i));
      }
      try {
        lines.add(JSON.writeValueAsString(object));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("cannot write as JSON: " + object, e);
      }
    }
    return lines;
  }

  /**
   * One column.
   *
   * @param key its name in JSON, with the unit
   * @param heading its name for people, with the unit
   * @param decimals of its numbers; negative for text
   */
  record Column(String key, String heading, int decimals) {

    static Column text(String key, String heading) {
      return new Column(key, heading, -1);
    }

    static Column number(String key, String heading, int decimals) {
      return new Column(key, heading, decimals);
    }

    boolean isNumber() {
      return decimals >= 0;
    }

    private String rule() {
      return isNumber() ? "--:" : "---";
    }

    private String text(Object cell) {
      return cell instanceof Number number && isNumber()
          ? String.format(Locale.ROOT, "%,." + decimals + "f", number.doubleValue())
          : cell.toString();
    }
  }
}
