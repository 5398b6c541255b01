package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of every command that asks a running node, which may ask for a token. */
final class TokenFile {

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      defaultValue = "${env:LEASEHOLD_TOKEN_FILE}",
      description =
          "File with the token that the node was given by --http-token-file (default: the one that"
              + " LEASEHOLD_TOKEN_FILE names).")
  private @Nullable Path file;

  /** That client, with the token if there is one. */
  NodeClient applyTo(NodeClient client) {
    return file == null ? client : client.withToken(read(file));
  }

  /** Reads a token: one line of printable ASCII. */
  static String read(Path file) {
    String token;
    try {
      token = Files.readString(file).strip();
    } catch (IOException e) {
      throw new CommandFailedException("the token in " + file + " cannot be read: " + e);
    }
    if (!token.matches("[!-~]{16,512}")) {
      throw new CommandFailedException(
          "the token in "
              + file
              + " must be 16 to 512 printable characters on one line: openssl rand -hex 32 > FILE");
    }
    return token;
  }
}
