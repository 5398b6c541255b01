package io.leasehold.harness.cli;

import io.leasehold.harness.demo.Demo;
import io.leasehold.harness.demo.JsonNarrator;
import io.leasehold.harness.demo.Narrator;
import io.leasehold.harness.demo.TextNarrator;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what it is all about. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Show on three processes of this machine what Leasehold promises.",
      "Contends for a lease, kills its holder, pauses a holder, kills the leader; tells what happens"
          + " and checks it. Takes less than 40 seconds, leaves nothing behind, and exits 0 only if"
          + " every promise held."
    })
final class DemoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  DemoCommand() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Narrator narrator =
        json
            ? new JsonNarrator(out, System::nanoTime)
            : new TextNarrator(out, outputCharset(), Ansi.AUTO.enabled(), System::nanoTime);
    return new Demo(narrator).play() ? 0 : 1;
  }

  /** What stdout is written in, which from Java 18 on may differ from the default charset. */
  private static Charset outputCharset() {
    String name = System.getProperty("stdout.encoding", System.getProperty("native.encoding"));
    return name == null ? Charset.defaultCharset() : Charset.forName(name);
  }
}
