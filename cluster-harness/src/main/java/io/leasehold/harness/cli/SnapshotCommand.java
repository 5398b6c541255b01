package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.SnapshotAnswer;
import io.leasehold.harness.wire.Wire;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Has a node take a snapshot. */
@Command(
    name = "snapshot",
    mixinStandardHelpOptions = true,
    description = {
      "Have a node take a snapshot of its table now, so that it can drop its log before.",
      "Each node has its own; it also takes one on its own now and then.",
      "The commands below bring a copy out of the cluster, and begin a new cluster with it."
    },
    synopsisSubcommandLabel = "[COMMAND]",
    subcommands = {SnapshotSaveCommand.class, SnapshotRestoreCommand.class})
final class SnapshotCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private AddressUnlessBelow node;

  @Mixin private JsonOutput json;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  SnapshotCommand() {}

  @Override
  public Integer call() {
    SnapshotAnswer taken = NodeClient.await(node.client(spec).snapshot());
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        json.isWanted()
            ? Wire.text(taken)
            : "The newest snapshot of " + taken.node() + " is at index " + taken.index() + ".");
    out.flush();
    return 0;
  }
}
