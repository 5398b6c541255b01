package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.StatusView;
import io.leasehold.harness.wire.Wire;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows who belongs to the group. */
@Command(
    name = "members",
    mixinStandardHelpOptions = true,
    description = {
      "Show the members of a node's group and which of them leads.",
      "That is what this one node knows: the role of the others, except the leader's, it does not."
    })
final class MembersCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private NodeAddress node;

  @Mixin private JsonOutput json;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  MembersCommand() {}

  @Override
  public Integer call() {
    StatusView status = NodeClient.await(node.client().status());
    PrintWriter out = spec.commandLine().getOut();
    if (json.isWanted()) {
      out.println(Wire.text(status));
    } else {
      Table table = new Table("MEMBER", "ADDRESS", "ROLE", "");
      status.members().forEach(member -> table.add(cells(status, member)));
      out.print(table.text());
    }
    out.flush();
    return 0;
  }

  private static String[] cells(StatusView status, StatusView.MemberView member) {
    boolean asked = member.id().equals(status.node());
    String role = member.id().equals(status.leader()) ? "LEADER" : asked ? status.role() : "-";
    String remark = !asked ? "" : status.failure() == null ? "this node" : status.failure();
    return new String[] {member.id(), member.address(), role, remark};
  }
}
