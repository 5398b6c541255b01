package io.leasehold.harness;

import io.leasehold.store.Member;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The members of a cluster as people write them: {@code n1=host:port,n2=host:port,…}. */
public final class MemberList {

  private MemberList() {}

  /**
   * Reads a list of members.
   *
   * @throws IllegalArgumentException when one is malformed, or an id or an address occurs twice
   */
  public static List<Member> parse(String text) {
    List<Member> members = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    Set<String> addresses = new HashSet<>();
    for (String part : text.split(",", -1)) {
      Member member = parseOne(part.strip());
      if (!ids.add(member.id())) {
        throw new IllegalArgumentException("member " + member.id() + " is listed twice");
      }
      if (!addresses.add(member.address())) {
        throw new IllegalArgumentException("two members have the address " + member.address());
      }
      members.add(member);
    }
    return List.copyOf(members);
  }

  /** Writes a list of members as {@link #parse} reads it. */
  public static String of(List<Member> members) {
    return members.stream()
        .map(member -> member.id() + "=" + member.address())
        .collect(Collectors.joining(","));
  }

  private static Member parseOne(String part) {
    int equals = part.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException(
          "must be written n1=host:port,n2=host:port: " + Quoted.text(part));
    }
    String address = part.substring(equals + 1);
    if (address.indexOf(':') < 0) {
      throw new IllegalArgumentException("member needs a host and a port: " + Quoted.text(part));
    }
    HostPort at = HostPort.parse(address);
    return new Member(part.substring(0, equals), at.host(), at.port());
  }
}
