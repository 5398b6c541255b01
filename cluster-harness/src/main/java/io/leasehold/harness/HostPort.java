package io.leasehold.harness;

import static java.util.Objects.requireNonNull;

import io.leasehold.text.Quoted;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where something listens.
 *
 * @param host a name or an address, IPv6 without brackets
 * @param port 0 to 65535; 0 asks for a free one where something is about to listen
 */
public record HostPort(String host, int port) {

  /** What a port without a host means: nobody outside this machine is let in by accident. */
  public static final String LOOPBACK = "127.0.0.1";

  private static final Pattern FORM =
      Pattern.compile(
          "(?:(?:\\[([0-9A-Fa-f:.]+(?:%[A-Za-z0-9._-]+)?)]|([^:/\\[\\]\\s]+)):)?([0-9]{1,5})");

  public HostPort {
    requireNonNull(host, "host");
    if (host.isBlank()) {
      throw new IllegalArgumentException("a host is missing before port " + port);
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("the port must be 0 to 65535: " + port);
    }
  }

  /**
   * Reads {@code host:port}, {@code [ipv6]:port}, or a port alone, which means loopback. A leading
   * {@code http://} and a closing slash are let pass.
   */
  public static HostPort parse(String text) {
    String address = text.startsWith("http://") ? text.substring("http://".length()) : text;
    if (address.endsWith("/")) {
      address = address.substring(0, address.length() - 1);
    }
    Matcher matcher = FORM.matcher(address);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "must be written host:port, with IPv6 in brackets: " + Quoted.text(text));
    }
    String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    return new HostPort(host == null ? LOOPBACK : host, Integer.parseInt(matcher.group(3)));
  }

  /** Returns the address to call it at. */
  public URI uri() {
    return URI.create("http://" + this);
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
