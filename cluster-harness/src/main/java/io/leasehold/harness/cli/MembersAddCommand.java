package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.StatusView;
import io.leasehold.store.Member;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
      "It has to run already, with an empty folder and the other members in its --members. Ask one"
          + " of these, not the new one. Returns when it has all that the others have, and counts."
    })
final class MembersAddCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ID=HOST:PORT", description = "Its name, and where the others reach it.")
  private String added;

  @Option(
      names = "--listener",
      description = "It serves like any member and never counts for a majority.")
  private boolean listener;

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
    StatusView members =
        NodeClient.await(node.client().addMember(member.id(), member.address(), listener));
    PrintWriter out = spec.commandLine().getOut();
    out.println(member.id() + (listener ? " is a listener now." : " is a member now."));
    out.print(MembersCommand.table(members));
    out.flush();
    return 0;
  }
}
