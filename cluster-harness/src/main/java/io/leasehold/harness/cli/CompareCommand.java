package io.leasehold.harness.cli;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.Digests;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.DigestView;
import io.leasehold.harness.wire.Wire;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows whether replicas are the same after the same log entry. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Compare what nodes hold after the same log entry.",
      "Replicas never differ; if they do, stop the node that is alone, for its disk or its memory has failed."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:They are the same.",
      "1:They differ, or could not be compared.",
      "2:Wrong usage."
    })
final class CompareCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--http",
      required = true,
      split = ",",
      paramLabel = "HOST:PORT",
      description = "HTTP addresses of running nodes, separated by commas.")
  private List<HostPort> http;

  @Mixin private JsonOutput json;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  CompareCommand() {}

  @Override
  public Integer call() {
    if (http.size() < 2) {
      throw new ParameterException(spec.commandLine(), "--http must name two nodes at least");
    }
    List<DigestView> digests =
        Digests.afterTheSameEntry(http.stream().map(NodeClient::of).toList())
            .orElseThrow(
                () ->
                    new CommandFailedException(
                        "the log moves on too fast for the nodes to be seen at the same entry; try again"));
    boolean same = Digests.areSame(digests);
    PrintWriter out = spec.commandLine().getOut();
    if (json.isWanted()) {
      digests.forEach(digest -> out.println(Wire.text(digest)));
    } else {
      Table table = new Table("NODE", "INDEX", "LAST TOKEN", "SHA-256");
      digests.forEach(
          each ->
              table.add(
                  each.node(),
                  Long.toString(each.index()),
                  Long.toString(each.lastToken()),
                  each.sha256()));
      Ink ink = Ink.of(spec.commandLine());
      out.print(table.text(ink));
      out.println(
          same
              ? ink.paint(Style.fg_green, "They are the same.")
              : ink.paint(Style.fg_red, "They differ."));
    }
    out.flush();
    return same ? 0 : 1;
  }
}
