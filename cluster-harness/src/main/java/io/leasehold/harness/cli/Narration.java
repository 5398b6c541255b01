package io.leasehold.harness.cli;

import io.leasehold.harness.demo.JsonNarrator;
import io.leasehold.harness.demo.Narrator;
import io.leasehold.harness.demo.TextNarrator;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;

/** The option of commands that tell what happens. */
final class Narration {

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean json;

  Narrator narrator(PrintWriter out) {
    return json
        ? new JsonNarrator(out, System::nanoTime)
        : new TextNarrator(out, outputCharset(), Ansi.AUTO.enabled(), System::nanoTime);
  }

  /** What stdout is written in, which from Java 18 on may differ from the default charset. */
  private static Charset outputCharset() {
    String name = System.getProperty("stdout.encoding", System.getProperty("native.encoding"));
    return name == null ? Charset.defaultCharset() : Charset.forName(name);
  }
}
