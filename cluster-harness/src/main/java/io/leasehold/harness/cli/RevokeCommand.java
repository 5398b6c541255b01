package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.LeaseRow;
import io.leasehold.harness.wire.RevokeAnswer;
import io.leasehold.harness.wire.Wire;
import io.leasehold.text.Quoted;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes a lease away from its holder. */
@Command(
    name = "revoke",
    mixinStandardHelpOptions = true,
    description = {
      "Take a lease away from its holder.",
      "From then on no renewal counts, and the holder is told at once. The lease is free when the"
          + " holder's node has confirmed, or when its time to live has run out. Exits 1 when there"
          + " was no such hold."
    })
final class RevokeCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "The lease.")
  private String name;

  @Mixin private NodeAddress node;

  @Mixin private JsonOutput json;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "revoked by an operator",
      description = "One sentence for the holder's log.")
  private String reason;

  @Option(
      names = "--token",
      paramLabel = "N",
      description = "Only the hold with this fencing token; the default is whichever there is now.")
  private @Nullable Long token;

  @Option(
      names = "--unsafe-now",
      description = {
        "Free it at once, although the holder may believe in it for the rest of its time to live:"
            + " two holders at a time are then possible, and only the fencing token tells them"
            + " apart."
      })
  private boolean unsafeNow;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  RevokeCommand() {}

  @Override
  public Integer call() {
    NodeClient client = node.client();
    LeaseRow before = NodeClient.await(client.find(name));
    if (before.holder() == null || before.fencingToken() == null) {
      throw new CommandFailedException(Quoted.text(name) + " is free: there is nothing to revoke");
    }
    long meant = token == null ? before.fencingToken() : token;
    RevokeAnswer answer = NodeClient.await(client.revoke(name, meant, reason, unsafeNow));
    if (!answer.revoked()) {
      throw new CommandFailedException(
          "there is no hold of " + Quoted.text(name) + " with token " + meant + " any more");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json.isWanted()) {
      out.println(Wire.text(answer));
      out.flush();
      return 0;
    }
    out.println(
        "Revoked "
            + Quoted.text(name)
            + ", token "
            + meant
            + (meant == before.fencingToken()
                ? ", from " + before.holder().owner() + " on " + before.holder().node()
                : "")
            + "."
            + (unsafeNow
                ? " It is free at once; the former holder may believe in it until its own deadline,"
                    + " so for that time only the fencing token keeps it out."
                : " The holder is told; the lease is free when its node has confirmed, or after"
                    + " its time to live."));
    out.flush();
    return 0;
  }
}
