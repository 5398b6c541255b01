package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.StatusView;
import io.leasehold.harness.wire.Wire;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows who belongs to the group. */
@Command(
    name = "members",
    mixinStandardHelpOptions = true,
    description = {
      "Show the members of a node's group and which of them leads.",
      "That is what this one node knows: the role of the others, except the leader's, it does not.",
      "The commands below change who is a member while the others run and leases are held."
    },
    synopsisSubcommandLabel = "[COMMAND]",
    subcommands = {MembersAddCommand.class, MembersRemoveCommand.class})
final class MembersCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private AddressUnlessBelow node;

  @Mixin private JsonOutput json;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  MembersCommand() {}

  @Override
  public Integer call() {
    StatusView status = NodeClient.await(node.client(spec).status());
    PrintWriter out = spec.commandLine().getOut();
    if (json.isWanted()) {
      out.println(Wire.text(status));
    } else {
      out.print(table(status, Ink.of(spec.commandLine())));
      reason(status).ifPresent(out::println);
    }
    out.flush();
    return 0;
  }

  /** Why a node does not serve that is not in the table. */
  private static Optional<String> reason(StatusView status) {
    boolean isThere =
        status.members().stream().anyMatch(member -> member.id().equals(status.node()));
    return isThere ? Optional.empty() : Optional.of(status.node() + ": " + remark(status));
  }

  private static String remark(StatusView status) {
    if (status.failure() != null) {
      return status.failure();
    }
    if (status.waitsFor() != null) {
      return "this node waits: " + status.waitsFor();
    }
    return status.warning() == null ? "this node" : "this node; " + status.warning();
  }

  static String table(StatusView status, Ink ink) {
    Table table = new Table("MEMBER", "ADDRESS", "ROLE", "");
    status.members().forEach(member -> table.add(cells(status, member)));
    return table.text(ink);
  }

  private static Table.Cell[] cells(StatusView status, StatusView.MemberView member) {
    boolean asked = member.id().equals(status.node());
    String role =
        member.listener()
            ? "LISTENER"
            : member.id().equals(status.leader()) ? "LEADER" : asked ? status.role() : "-";
    String warning = member.warning() == null ? "" : member.warning();
    String remark = asked ? remark(status) : warning;
    boolean failed = asked && status.failure() != null;
    return new Table.Cell[] {
      Table.Cell.plain(member.id()),
      Table.Cell.plain(member.address()),
      role.equals("LEADER") ? new Table.Cell(role, Style.fg_cyan) : Table.Cell.plain(role),
      failed ? new Table.Cell(remark, Style.fg_red) : Table.Cell.plain(remark)
    };
  }
}
