package io.leasehold.store;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/**
 * One configured replica.
 *
 * @param id its name, unique in the cluster for ever: letters, digits, dot, underscore and hyphen,
 *     at most 64
 * @param host the host name or address the others reach it at; resolved anew on each connection
 * @param port 1 to 65535
 */
public record Member(String id, String host, int port) {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  public Member {
    requireNonNull(id, "id");
    requireNonNull(host, "host");
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "member id must be 1 to 64 letters, digits, dots, underscores or hyphens: " + id);
    }
    if (host.isBlank()) {
      throw new IllegalArgumentException("member " + id + " needs a host");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port of member " + id + " must be 1 to 65535: " + port);
    }
  }

  /** Returns {@code host:port}. */
  public String address() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
