package io.leasehold.store;

import io.leasehold.text.Quoted;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
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

  private static final Pattern FORM =
      Pattern.compile("(?<id>[^=]+)=(?<host>\\[[^\\]]+]|[^:\\[\\]]+):(?<port>\\d{1,5})");

  /**
   * @throws IllegalArgumentException naming the member and what is wrong with it
   */
  public Member {
    if (id == null || !ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "member id must be 1 to 64 letters, digits, dots, underscores or hyphens: "
              + Quoted.line(String.valueOf(id)));
    }
    if (host == null || host.isBlank()) {
      throw new IllegalArgumentException("member " + id + " needs a host");
    }
    if (host.codePoints().anyMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c))) {
      throw new IllegalArgumentException(
          "the host of member " + id + " must have no spaces: " + Quoted.text(host));
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port of member " + id + " must be 1 to 65535: " + port);
    }
  }

  /**
   * Reads members as people write them: {@code n1=host:port,n2=host:port,…}; an IPv6 address stands
   * in brackets.
   *
   * @throws IllegalArgumentException naming the part that is not of this form
   */
  public static List<Member> parseAll(String text) {
    return Arrays.stream(text.split(",", -1)).map(part -> parse(part.strip())).toList();
  }

  /**
   * Reads one member.
   *
   * @throws IllegalArgumentException if it is not of this form
   */
  public static Member parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "a member is written id=host:port, and IPv6 as id=[address]:port: '"
              + Quoted.line(text)
              + "'");
    }
    String host = matcher.group("host");
    return new Member(
        matcher.group("id"),
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        Integer.parseInt(matcher.group("port")));
  }

  /** Returns {@code host:port}. */
  public String address() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
