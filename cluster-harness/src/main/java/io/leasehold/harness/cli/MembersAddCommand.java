package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.StatusView;
import io.leasehold.store.Member;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes a node into the group. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    description = {
      "Take a node into the group: a new one, or one in the place of a member of that name whose"
          + " folder is lost.",
      "It has to run already, with an empty folder and the members in its --members. Ask one of"
          + " these, not the new one. Returns when it has all that the others have, and counts,"
          + " unless it was started with --listener."
    })
final class MembersAddCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ID=HOST:PORT", description = "Its name, and where the others reach it.")
  private String added;

  @Mixin private NodeAddress node;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  MembersAddCommand() {}

  @Override
  public Integer call() {
    Member member;
    try {
      member = Member.parse(added);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    StatusView members = NodeClient.await(node.client().addMember(member.id(), member.address()));
    PrintWriter out = spec.commandLine().getOut();
    out.println(member.id() + " is a member now.");
    out.print(MembersCommand.table(members, Ink.of(spec.commandLine())));
    out.flush();
    return 0;
  }
}
