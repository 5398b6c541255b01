package io.leasehold.harness.cli;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.DigestView;
import io.leasehold.harness.wire.Wire;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Shows whether replicas are the same after the same log entry. Each is asked for an entry that is
 * still to come, and the log is moved on to there by reading; under load it passes so soon that the
 * next try is further ahead.
 */
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

  private static final String READ_LEASE = "leasehold/compare";
  private static final List<Integer> AHEAD = List.of(2, 16, 128, 1_024, 8_192);

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
    List<DigestView> digests = digests(http.stream().map(NodeClient::of).toList());
    boolean same = digests.stream().map(DigestView::sha256).distinct().count() == 1;
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
      out.print(table.text());
      out.println(same ? "They are the same." : "They differ.");
    }
    out.flush();
    return same ? 0 : 1;
  }

  private static List<DigestView> digests(List<NodeClient> nodes) {
    for (int ahead : AHEAD) {
      List<DigestView> digests = digests(nodes, newest(nodes) + ahead);
      if (digests.stream().map(DigestView::index).distinct().count() == 1) {
        return digests;
      }
    }
    throw new CommandFailedException(
        "the log moves on too fast for the nodes to be seen at the same entry; try again");
  }

  private static long newest(List<NodeClient> nodes) {
    return nodes.stream()
        .mapToLong(node -> NodeClient.await(node.status()).appliedIndex())
        .max()
        .orElseThrow();
  }

  private static List<DigestView> digests(List<NodeClient> nodes, long index) {
    List<CompletableFuture<DigestView>> asked =
        nodes.stream().map(node -> node.digestAt(index)).toList();
    while (!asked.stream().allMatch(CompletableFuture::isDone)) {
      NodeClient.await(nodes.get(0).find(READ_LEASE).handle((lease, none) -> true));
    }
    return asked.stream().map(NodeClient::await).toList();
  }
}
