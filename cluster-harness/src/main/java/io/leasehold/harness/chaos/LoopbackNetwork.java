package io.leasehold.harness.chaos;

import io.leasehold.store.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** All nodes on this machine's loopback: nothing of it can be disturbed. */
final class LoopbackNetwork implements Network {

  private final List<Member> members;
  private final String why;

  private LoopbackNetwork(List<Member> members, String why) {
    this.members = members;
    this.why = why;
  }

  static LoopbackNetwork open(List<String> nodes, String why) throws IOException {
    List<Member> members = new ArrayList<>();
    List<ServerSocket> taken = new ArrayList<>();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    for (String node : nodes) {
      ServerSocket socket = new ServerSocket(0, 1, loopback);
      taken.add(socket);
      members.add(new Member(node, loopback.getHostAddress(), socket.getLocalPort()));
    }
    for (ServerSocket socket : taken) {
      socket.close();
    }
    return new LoopbackNetwork(members, why);
  }

  @Override
  public String means() {
    return "plain loopback: " + why;
  }

  @Override
  public List<Member> members() {
    return members;
  }

  @Override
  public List<String> prefix(String node) {
    return List.of();
  }

  @Override
  public Undo cut(String node, String direction, boolean reset) throws FaultNotPossibleException {
    throw new FaultNotPossibleException(why);
  }

  @Override
  public Undo slow(String node, String rate) throws FaultNotPossibleException {
    throw new FaultNotPossibleException(why);
  }

  @Override
  public Undo lose(String node, String probability) throws FaultNotPossibleException {
    throw new FaultNotPossibleException(why);
  }

  @Override
  public void close() {}
}
