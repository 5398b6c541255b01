package io.leasehold.harness;

import io.leasehold.store.Member;
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
    List<Member> members = Member.parseAll(text);
    Set<String> ids = new HashSet<>();
    Set<String> addresses = new HashSet<>();
    for (Member member : members) {
      if (!ids.add(member.id())) {
        throw new IllegalArgumentException("member " + member.id() + " is listed twice");
      }
      if (!addresses.add(member.address())) {
        throw new IllegalArgumentException("two members have the address " + member.address());
      }
    }
    return members;
  }

  /** Writes a list of members as {@link #parse} reads it. */
  public static String of(List<Member> members) {
    return members.stream()
        .map(member -> member.id() + "=" + member.address())
        .collect(Collectors.joining(","));
  }
}
