package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.StatusView;
import io.leasehold.harness.wire.TransferAnswer;
import io.leasehold.harness.wire.Wire;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Has another member lead. */
@Command(
    name = "transfer",
    mixinStandardHelpOptions = true,
    description = {
      "Hand the leadership of the store over to another member.",
      "No lease is lost by it; calls wait for a moment. Exits 1 when that member does not lead"
          + " afterwards."
    })
final class TransferCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private NodeAddress node;

  @Mixin private JsonOutput json;

  @Option(
      names = "--to",
      paramLabel = "ID",
      description = "The member that is to lead; the default is the first other one that can.")
  private @Nullable String to;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  TransferCommand() {}

  @Override
  public Integer call() {
    NodeClient client = node.client();
    List<String> failures = new ArrayList<>();
    for (String heir : to == null ? others(NodeClient.await(client.status())) : List.of(to)) {
      String failure = failureOf(client, heir);
      if (failure == null) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(
            json.isWanted()
                ? Wire.text(new TransferAnswer(true, heir))
                : heir + " leads the store now.");
        out.flush();
        return 0;
      }
      failures.add(failure);
    }
    throw new CommandFailedException(String.join("; ", failures));
  }

  private static List<String> others(StatusView status) {
    if (status.leader() == null) {
      throw new CommandFailedException(
          "no leader is known to " + status.node() + ": see that a majority of the members runs");
    }
    List<String> others =
        status.members().stream()
            .map(StatusView.MemberView::id)
            .filter(id -> !id.equals(status.leader()))
            .toList();
    if (others.isEmpty()) {
      throw new CommandFailedException(
          status.leader() + " is the only member: there is nobody to hand the leadership to");
    }
    return others;
  }

  private @Nullable String failureOf(NodeClient client, String heir) {
    try {
      TransferAnswer answer = NodeClient.await(client.transfer(heir));
      return answer.transferred()
          ? null
          : heir
              + " has not taken the leadership over in time, "
              + (answer.leader() == null ? "nobody" : answer.leader())
              + " leads";
    } catch (NodeCallException e) {
      if (to != null || e.status() != 503) {
        throw e;
      }
      return e.getMessage();
    }
  }
}
