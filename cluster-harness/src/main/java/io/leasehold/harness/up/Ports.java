package io.leasehold.harness.up;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.process.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The ports that a cluster keeps from one start to the next: for each node one for the members, one
 * for HTTP, and one for each link to it from another node.
 *
 * @param nodes how many nodes there are
 * @param all the ports, the members' first, then those for HTTP, then the links'
 */
record Ports(int nodes, List<Integer> all) {

  Ports {
    all = List.copyOf(all);
    if (nodes < 1 || all.size() != count(nodes)) {
      throw new IllegalArgumentException(all.size() + " ports are not those of " + nodes);
    }
  }

  /** Free ones for a new cluster. */
  static Ports find(int nodes) {
    return new Ports(nodes, FreePorts.find(count(nodes)));
  }

  private static int count(int nodes) {
    return nodes * (nodes + 1);
  }

  /** The same ones, but for those that something else uses now. */
  Ports stillFree() {
    List<Integer> taken = all.stream().filter(port -> !isFree(port)).toList();
    if (taken.isEmpty()) {
      return this;
    }
    Iterator<Integer> others =
        FreePorts.find(taken.size() + all.size()).stream()
            .filter(port -> !all.contains(port))
            .iterator();
    List<Integer> kept = new ArrayList<>(all);
    kept.replaceAll(port -> taken.contains(port) ? others.next() : port);
    return new Ports(nodes, kept);
  }

  /** Where the node with a number from 0 on takes the others' connections. */
  int member(int node) {
    return all.get(node);
  }

  /** Where its HTTP interface listens. */
  int http(int node) {
    return all.get(nodes + node);
  }

  /** Where one node reaches another. */
  int link(int from, int to) {
    return all.get(2 * nodes + from * (nodes - 1) + (to > from ? to - 1 : to));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(HostPort.LOOPBACK, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
