package io.leasehold.harness.chaos;

import io.leasehold.harness.chaos.relay.LinkCondition;
import io.leasehold.harness.chaos.relay.Relay;
import io.leasehold.store.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All nodes on this machine's loopback, with a relay of ours in each link: what needs no rights. A
 * relay passes on bytes, not packets, so it can be slow, silent or closed but loses nothing.
 */
final class LoopbackNetwork implements Network {

  private final Map<String, Member> members = new LinkedHashMap<>();
  private final Map<Link, Relay> relays = new LinkedHashMap<>();
  private final String why;
  private int disturbances;

  /** From who connects to who is connected to. */
  private record Link(String from, String to) {
    boolean touches(String node) {
      return from.equals(node) || to.equals(node);
    }
  }

  private LoopbackNetwork(String why) {
    this.why = why;
  }

  /**
   * Opens it.
   *
   * @param why there is no better one
   */
  static LoopbackNetwork open(List<String> nodes, String why) throws IOException {
    LoopbackNetwork network = new LoopbackNetwork(why);
    try {
      network.build(nodes);
    } catch (IOException e) {
      network.close();
      throw e;
    }
    return network;
  }

  private void build(List<String> nodes) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    List<ServerSocket> taken = new ArrayList<>();
    for (String node : nodes) {
      ServerSocket socket = new ServerSocket(0, 1, loopback);
      taken.add(socket);
      members.put(node, new Member(node, loopback.getHostAddress(), socket.getLocalPort()));
    }
    for (ServerSocket socket : taken) {
      socket.close();
    }
    for (String from : nodes) {
      for (Member to : members.values()) {
        if (!to.id().equals(from)) {
          relays.put(
              new Link(from, to.id()),
              Relay.open(
                  new InetSocketAddress(loopback, 0), new InetSocketAddress(loopback, to.port())));
        }
      }
    }
  }

  @Override
  public String means() {
    return "loopback with a relay in each link (" + why + ")";
  }

  @Override
  public List<Member> members(String node) {
    List<Member> seen = new ArrayList<>();
    for (Member member : members.values()) {
      Relay relay = relays.get(new Link(node, member.id()));
      seen.add(relay == null ? member : new Member(member.id(), member.host(), relay.port()));
    }
    return seen;
  }

  @Override
  public List<String> prefix(String node) {
    return List.of();
  }

  @Override
  public Undo cut(String node, String direction, boolean reset) {
    String key = nextKey();
    relays.forEach(
        (link, relay) -> {
          if (link.touches(node)) {
            relay.impose(
                key, LinkCondition.parse(reset ? "refuse" : "stall " + way(link, node, direction)));
          }
        });
    return () -> relays.values().forEach(relay -> relay.lift(key));
  }

  /** In which direction a link is silent while a node hears nothing, or is not heard. */
  private static String way(Link link, String node, String direction) {
    if (direction.equals("both")) {
      return "both";
    }
    return direction.equals("in") == link.to().equals(node) ? "forward" : "backward";
  }

  @Override
  public Undo slow(String node, String rate) {
    long bits = Long.parseLong(rate.replace("kbit", "000").replace("mbit", "000000"));
    return impose(node, LinkCondition.parse("rate " + bits / 8));
  }

  @Override
  public Undo lose(String node, String probability) throws FaultNotPossibleException {
    throw new FaultNotPossibleException(why);
  }

  @Override
  public Undo delay(String node, String how) {
    Undo lift = impose(node, LinkCondition.parse(how));
    return () -> {
      lift.undo();
      touching(node).forEach(Relay::halfClose);
    };
  }

  private Undo impose(String node, LinkCondition condition) {
    String key = nextKey();
    touching(node).forEach(relay -> relay.impose(key, condition));
    return () -> touching(node).forEach(relay -> relay.lift(key));
  }

  private List<Relay> touching(String node) {
    return relays.entrySet().stream()
        .filter(entry -> entry.getKey().touches(node))
        .map(Map.Entry::getValue)
        .toList();
  }

  private String nextKey() {
    return "d" + ++disturbances;
  }

  @Override
  public void close() {
    relays.values().forEach(Relay::close);
  }
}
