package io.leasehold.harness.cli;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.node.NodeOptions;
import io.leasehold.harness.node.NodeSecurity;
import io.leasehold.store.BackupContents;
import io.leasehold.store.StoreNode;
import io.leasehold.store.StoreStartException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes the folder of a member of a new cluster that begins with a backup. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    description = {
      "Make the data folder of one node of a new cluster from a backup.",
      "Stop the old cluster first. Do this on every node of the new one, with the same file, and then"
          + " start them with the same --cluster, --members and --dir; never again once one of them has"
          + " been started. Its tokens are greater than"
          + " all of the old cluster; every hold has its whole time to live from the first leader on."
    })
final class SnapshotRestoreCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The backup.")
  private Path file;

  @Option(
      names = "--id",
      required = true,
      paramLabel = "ID",
      description = "The node's name, one of the members.")
  private String id;

  @Option(
      names = "--members",
      required = true,
      paramLabel = "N1=HOST:PORT,…",
      description = "All members of the new cluster, the same list on every node.")
  private CommandText.Members members;

  @Option(
      names = "--dir",
      required = true,
      paramLabel = "DIR",
      description =
          "The node's data folder, as it will be started with; its store must not be there yet.")
  private Path dir;

  @Option(
      names = "--cluster",
      required = true,
      paramLabel = "NAME",
      description = "The new cluster's name, which must not be the old one's.")
  private String cluster;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  SnapshotRestoreCommand() {}

  @Override
  public Integer call() {
    if (members.list().stream().noneMatch(member -> member.id().equals(id))) {
      throw new ParameterException(
          spec.commandLine(), "--id " + id + " is not among the --members");
    }
    NodeOptions node =
        new NodeOptions(
            cluster,
            id,
            members.list(),
            dir,
            new HostPort(HostPort.LOOPBACK, 0),
            Duration.ofMillis(500),
            false,
            NodeSecurity.LOOPBACK);
    try {
      BackupContents backup = StoreNode.restore(file, node.store());
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          "Node %s of cluster %s begins with what cluster %s held at entry %d, saved %s"
              .formatted(id, cluster, backup.cluster(), backup.index(), backup.savedAt()));
      out.flush();
      return 0;
    } catch (StoreStartException e) {
      throw new CommandFailedException(String.valueOf(e.getMessage()));
    }
  }
}
