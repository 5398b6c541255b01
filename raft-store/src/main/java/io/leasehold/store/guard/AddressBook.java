package io.leasehold.store.guard;

import io.leasehold.store.Member;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Which node is expected at an address, for a certificate names nodes and a connection is made to
 * an address. Nothing is forgotten: a member that moves is expected at both. Safe for many threads.
 */
public final class AddressBook {

  private final Map<String, Set<String>> nodes = new ConcurrentHashMap<>();
  private final Supplier<Iterable<Member>> group;

  /**
   * @param group the members of the group at this moment
   */
  public AddressBook(Supplier<Iterable<Member>> group) {
    this.group = group;
  }

  /** That node is expected at its address from now on. */
  public void add(Member member) {
    nodes
        .computeIfAbsent(key(member.host(), member.port()), any -> ConcurrentHashMap.newKeySet())
        .add(member.id());
  }

  /** Returns the names of the nodes that may answer at an address; none if it is not known. */
  public Set<String> at(String host, int port) {
    group.get().forEach(this::add);
    return nodes.getOrDefault(key(host, port), Set.of()).stream()
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String key(String host, int port) {
    String bare =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    return bare.toLowerCase(Locale.ROOT) + " " + port;
  }
}
