package io.leasehold.bench.load;

import java.io.PrintWriter;

/** Prints each table as soon as it is there. */
final class Report {

  private final PrintWriter out;
  private final boolean json;

  /**
   * @param json as lines of JSON instead of tables
   */
  Report(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  void print(ResultTable table) {
    if (table.isEmpty()) {
      return;
    }
    if (json) {
      table.toJsonLines().forEach(out::println);
    } else {
      out.println(table.toText());
    }
    out.flush();
  }

  /** Names where a store has its log, for the column of that name. */
  static String logOf(Competitor competitor) {
    return competitor.isDurable() ? "synced" : "memory";
  }

  /** Says what is being measured, beside the results. */
  static void progress(String what) {
    System.err.println("… " + what);
  }
}
