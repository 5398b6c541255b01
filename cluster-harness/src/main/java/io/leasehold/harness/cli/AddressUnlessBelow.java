package io.leasehold.harness.cli;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The option of a command that asks a running node and has commands below it: where one of these is
 * given, picocli would demand a required option of both.
 */
final class AddressUnlessBelow {

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description = "HTTP address of a running node.")
  private @Nullable HostPort http;

  @Mixin private TokenFile token = new TokenFile();

  /** A client for that node. */
  NodeClient client(CommandSpec spec) {
    if (http == null) {
      throw new ParameterException(
          spec.commandLine(), "Missing required option: '--http=HOST:PORT'");
    }
    return token.applyTo(NodeClient.of(http));
  }
}
