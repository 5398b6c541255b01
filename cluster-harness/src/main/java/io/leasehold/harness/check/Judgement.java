package io.leasehold.harness.check;

import java.io.PrintWriter;

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

  History history() {
    return history;
  }

  /** Prints it for people. */
  public void print(PrintWriter out) {
    new VerdictText(history, verdict).print(out);
  }
}
