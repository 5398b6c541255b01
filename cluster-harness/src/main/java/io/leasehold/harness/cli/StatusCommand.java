package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.NodeView;
import io.leasehold.harness.wire.StatusView;
import io.leasehold.harness.wire.Wire;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows how a node is. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Show how a node is: whether it serves, its role, its leader, how far it has come.",
      "Exits 1 when it does not serve, with the reason."
    })
final class StatusCommand implements Callable<Integer> {

  private static final int SERVICE_UNAVAILABLE = 503;

  @Spec private CommandSpec spec;

  @Mixin private NodeAddress node;

  @Mixin private JsonOutput json;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  StatusCommand() {}

  @Override
  public Integer call() {
    NodeClient client = node.client();
    StatusView status = NodeClient.await(client.status());
    String reason = whyNotServing(client);
    PrintWriter out = spec.commandLine().getOut();
    if (json.isWanted()) {
      out.println(Wire.text(new NodeView(status, reason == null, reason)));
    } else {
      print(out, Ink.of(spec.commandLine()), status, reason);
    }
    out.flush();
    return reason == null ? 0 : 1;
  }

  private static @Nullable String whyNotServing(NodeClient client) {
    try {
      return NodeClient.await(client.health()).healthy() ? null : "it says that it is not healthy";
    } catch (NodeCallException refused) {
      if (refused.status() != SERVICE_UNAVAILABLE) {
        throw refused;
      }
      return String.valueOf(refused.getMessage());
    }
  }

  private static void print(PrintWriter out, Ink ink, StatusView status, @Nullable String reason) {
    out.println(
        reason == null
            ? ink.paint(Style.fg_green, status.node() + " serves.")
            : ink.paint(Style.fg_red, status.node() + " does not serve: " + reason));
    if (status.warning() != null) {
      out.println(ink.paint(Style.fg_yellow, "Warning: " + status.warning()));
    }
    line(out, ink, "role", status.role());
    line(out, ink, "leader", status.leader() == null ? "unknown" : status.leader());
    line(out, ink, "term", Long.toString(status.term()));
    line(out, ink, "applied", Long.toString(status.appliedIndex()));
    line(
        out,
        ink,
        "members",
        status.members().stream().map(StatusView.MemberView::id).collect(Collectors.joining(", ")));
  }

  private static void line(PrintWriter out, Ink ink, String name, String value) {
    out.println("  " + ink.paint(Style.bold, name) + " ".repeat(9 - name.length()) + value);
  }
}
