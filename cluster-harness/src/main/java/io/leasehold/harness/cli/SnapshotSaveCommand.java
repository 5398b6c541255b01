package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeClient;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Fetches a backup of what a node holds. */
@Command(
    name = "save",
    mixinStandardHelpOptions = true,
    description = "Write all that a node holds into a file, to begin a new cluster with.")
final class SnapshotSaveCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The backup, which must not be there yet.")
  private Path file;

  @Mixin private NodeAddress node;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  SnapshotSaveCommand() {}

  @Override
  public Integer call() {
    if (Files.exists(file)) {
      throw new CommandFailedException(file + " is there already");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new CommandFailedException("there is no folder " + folder);
    }
    Path saved = NodeClient.await(node.client().backup(file));
    PrintWriter out = spec.commandLine().getOut();
    out.println("Saved what the node at " + node + " holds: " + saved);
    out.flush();
    return 0;
  }
}
