package io.leasehold.harness.check;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** A history and what the judge says about it; what can be shown of both. */
public final class Judgement {

  private final History history;
  private final Verdict verdict;

  Judgement(History history, Verdict verdict) {
    this.history = history;
    this.verdict = verdict;
  }

  public Verdict verdict() {
    return verdict;
  }

  /** Prints it for people. */
  public void print(PrintWriter out) {
    new VerdictText(history, verdict).print(out);
  }

  /** Writes it as a page to look at: one HTML file that needs nothing else. */
  public void writeReport(Path file) throws IOException {
    HtmlReport.write(file, history, verdict);
  }
}
