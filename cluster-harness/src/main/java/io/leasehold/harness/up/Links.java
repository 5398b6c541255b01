package io.leasehold.harness.up;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.chaos.relay.LinkCondition;
import io.leasehold.harness.chaos.relay.Relay;
import io.leasehold.store.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections between the nodes, each through a relay of this process, so that a node can be
 * cut off from all others. Safe for many threads.
 */
final class Links implements AutoCloseable {

  private static final LinkCondition SILENT = LinkCondition.parse("stall both");

  private final Map<Link, Relay> relays = new LinkedHashMap<>();
  private final Set<String> cutOff = ConcurrentHashMap.newKeySet();
  private final Ports ports;

  private record Link(String from, String to) {}

  private Links(Ports ports) {
    this.ports = ports;
  }

  /** Opens a link from each node to each other one. */
  static Links open(Ports ports) {
    Links links = new Links(ports);
    try {
      for (int from = 0; from < ports.nodes(); from++) {
        for (int to = 0; to < ports.nodes(); to++) {
          if (from != to) {
            links.relays.put(
                new Link(id(from), id(to)),
                Relay.open(at(ports.link(from, to)), at(ports.member(to))));
          }
        }
      }
      return links;
    } catch (IOException e) {
      links.close();
      throw new UncheckedIOException("cannot open the links between the nodes", e);
    }
  }

  private static InetSocketAddress at(int port) {
    return new InetSocketAddress(HostPort.LOOPBACK, port);
  }

  /** The name of the node with a number from 0 on. */
  static String id(int node) {
    return "n" + (node + 1);
  }

  /** All members, as a node is to reach them. */
  List<Member> membersFor(int node) {
    List<Member> members = new ArrayList<>();
    for (int to = 0; to < ports.nodes(); to++) {
      int port = to == node ? ports.member(to) : ports.link(node, to);
      members.add(new Member(id(to), HostPort.LOOPBACK, port));
    }
    return members;
  }

  /** Cuts a node off: what it sends does not arrive, nor what it is sent. Idempotent. */
  void cut(String node) {
    if (cutOff.add(node)) {
      relays.forEach(
          (link, relay) -> {
            if (link.from().equals(node) || link.to().equals(node)) {
              relay.impose(node, SILENT);
            }
          });
    }
  }

  /** Connects it again. Idempotent. */
  void heal(String node) {
    if (cutOff.remove(node)) {
      relays.values().forEach(relay -> relay.lift(node));
    }
  }

  boolean isCutOff(String node) {
    return cutOff.contains(node);
  }

  @Override
  public void close() {
    relays.values().forEach(Relay::close);
  }
}
