package io.leasehold.harness.cli;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.node.NodeMain;
import io.leasehold.harness.node.NodeOptions;
import io.leasehold.harness.node.NodeSecurity;
import io.leasehold.store.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs one node. */
@Command(
    name = "node",
    mixinStandardHelpOptions = true,
    description = {
      "Run one node of a cluster until Ctrl-C or SIGTERM.",
      "It is a member of the store with an HTTP interface to its leases. It prints one line when it"
          + " runs and logs to node.log in its data folder. A node starts without the others; it serves"
          + " once a majority of the members runs, and a new cluster once all of them have. One with"
          + " an empty folder whose cluster has begun before waits to be added."
    })
final class NodeCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--id",
      required = true,
      paramLabel = "ID",
      description = "This node's name, one of the members; always the same on the same folder.")
  private String id;

  @Option(
      names = "--members",
      required = true,
      paramLabel = "N1=HOST:PORT,…",
      description =
          "All members of the cluster, this one included; the same list on every node of a new one.")
  private CommandText.Members members;

  @Option(
      names = "--dir",
      required = true,
      paramLabel = "DIR",
      description = "This node's data folder; made if it is not there.")
  private Path dir;

  @Option(
      names = "--http",
      required = true,
      paramLabel = "HOST:PORT",
      description = {
        "Where the HTTP interface listens; a port alone means loopback, port 0 any free one. Any"
            + " other address needs --http-token-file."
      })
  private HostPort http;

  @Option(
      names = "--http-token-file",
      paramLabel = "FILE",
      description =
          "File with a token that has to be known to change something over HTTP; the commands take"
              + " it as --token-file.")
  private @Nullable Path httpTokenFile;

  @ArgGroup(exclusive = false)
  private @Nullable TlsOptions tls;

  @Option(
      names = "--insecure",
      description =
          "Speak without TLS on addresses that are not loopback ones. Whoever reaches them can take"
              + " leases away, and the cluster apart.")
  private boolean insecure;

  @Option(
      names = "--cluster",
      defaultValue = "leasehold",
      paramLabel = "NAME",
      description = "The cluster's name, the same on every node (default: ${DEFAULT-VALUE}).")
  private String cluster;

  @Option(
      names = "--listener",
      description =
          "Once it is added, never count for a majority; it serves like any other. What it is it"
              + " stays as long as its data folder is.")
  private boolean listener;

  @Option(
      names = "--election-timeout",
      defaultValue = "500ms",
      paramLabel = "DURATION",
      description =
          "How long to wait for a silent leader before another one is elected, at least; at most it"
              + " is twice that (default: ${DEFAULT-VALUE}).")
  private Duration electionTimeout;

  @Option(
      names = "--log-level",
      defaultValue = "INFO",
      paramLabel = "LEVEL",
      description =
          "What the node's log has: DEBUG, INFO, WARN, ERROR (default: ${DEFAULT-VALUE}).")
  private LogLevel logLevel;

  @Option(
      names = "--end-with-stdin",
      hidden = true,
      description = "End when stdin ends: the process that started this one is gone.")
  private boolean endWithStdin;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  NodeCommand() {}

  @Override
  public Integer call() {
    if (members.list().stream().noneMatch(member -> member.id().equals(id))) {
      throw new ParameterException(
          spec.commandLine(), "--id " + id + " is not among the --members");
    }
    NodeOptions options =
        new NodeOptions(
            cluster,
            id,
            members.list(),
            dir,
            http,
            electionTimeout,
            listener,
            new NodeSecurity(
                Optional.ofNullable(tls).map(TlsOptions::files),
                insecure,
                Optional.ofNullable(httpTokenFile).map(TokenFile::read)));
    return NodeMain.run(
        options,
        logLevel.name(),
        endWithStdin,
        spec.commandLine().getOut(),
        spec.commandLine().getErr());
  }

  /** All of them, or none. */
  private static final class TlsOptions {

    @Option(
        names = "--tls-key",
        required = true,
        paramLabel = "FILE",
        description = "This node's private key in PEM form, for TLS with the other members.")
    private Path key;

    @Option(
        names = "--tls-certificate",
        required = true,
        paramLabel = "FILE",
        description =
            "Its certificate, with the alternative name URI:leasehold:CLUSTER/ID, and those above"
                + " it. Files are read again when they have changed.")
    private Path certificate;

    @Option(
        names = "--tls-trusted",
        required = true,
        paramLabel = "FILE",
        description = "Certificates of who signs the members' ones.")
    private Path trusted;

    @SuppressWarnings("NullAway.Init") // picocli fills the fields
    TlsOptions() {}

    TlsFiles files() {
      return new TlsFiles(key, certificate, trusted);
    }
  }

  private enum LogLevel {
    DEBUG,
    INFO,
    WARN,
    ERROR
  }
}
