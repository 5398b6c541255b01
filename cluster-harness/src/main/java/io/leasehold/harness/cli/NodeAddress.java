package io.leasehold.harness.cli;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeClient;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The option of every command that asks a running node. */
final class NodeAddress {

  @Option(
      names = "--http",
      required = true,
      paramLabel = "HOST:PORT",
      description = "HTTP address of a running node.")
  private HostPort http;

  @Mixin private TokenFile token;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  NodeAddress() {}

  /** A client for that node. */
  NodeClient client() {
    return token.applyTo(NodeClient.of(http));
  }

  @Override
  public String toString() {
    return http.toString();
  }
}
