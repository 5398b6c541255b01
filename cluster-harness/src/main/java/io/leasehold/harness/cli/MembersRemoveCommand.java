package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.StatusView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes a member out of the group. */
@Command(
    name = "remove",
    mixinStandardHelpOptions = true,
    description = {
      "Take a member out of the group for good; if it leads, another one does first.",
      "Stop its node before or afterwards: what it holds expires. Refused when those that stay could"
          + " decide nothing without it. To come back it needs an empty folder, and 'members add'."
    })
final class MembersRemoveCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ID", description = "Its name.")
  private String removed;

  @Mixin private NodeAddress node;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  MembersRemoveCommand() {}

  @Override
  public Integer call() {
    StatusView members = NodeClient.await(node.client().removeMember(removed));
    PrintWriter out = spec.commandLine().getOut();
    out.println(removed + " is not a member any more.");
    out.print(MembersCommand.table(members, Ink.of(spec.commandLine())));
    out.flush();
    return 0;
  }
}
