package io.leasehold.harness.cli;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.http.HttpStartException;
import io.leasehold.harness.up.Up;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a cluster to play with. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = {
      "Run a cluster to play with until Ctrl-C, and its page in the browser.",
      "Each node is a process of this machine. The page shows who holds what and what happens, and"
          + " has buttons to acquire and release leases, and to kill, pause and cut off nodes."
    })
final class UpCommand implements Callable<Integer> {

  private static final int NODES_MAX = 9;
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1");

  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "How many, 1 to 9 (default: 3, or as many as are in --dir).")
  private @Nullable Integer nodes;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where their data goes and stays, to be used again the next time; the default is a"
              + " temporary folder.")
  private @Nullable Path dir;

  @Option(
      names = "--http",
      defaultValue = "8080",
      paramLabel = "PORT",
      description = "The page's port on loopback; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private HostPort http;

  @Option(
      names = "--reports",
      paramLabel = "DIR",
      description =
          "A folder of chaos reports to link to; the default is those of this machine's temporary"
              + " folder.")
  private @Nullable Path reports;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  UpCommand() {}

  @Override
  public Integer call() {
    if (nodes != null && (nodes < 1 || nodes > NODES_MAX)) {
      throw wrong("--nodes must be 1 to " + NODES_MAX + ": " + nodes);
    }
    if (!LOOPBACK.contains(http.host())) {
      throw wrong("--http must be on loopback, for the page ends processes: " + http);
    }
    if (reports != null && !Files.isDirectory(reports)) {
      throw wrong("--reports is no folder: " + reports);
    }
    try {
      Up.run(
          nodes == null ? OptionalInt.empty() : OptionalInt.of(nodes),
          Optional.ofNullable(dir),
          http,
          Optional.ofNullable(reports),
          spec.commandLine().getOut());
      return 0;
    } catch (HttpStartException | IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
