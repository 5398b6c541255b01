package io.leasehold.harness.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of this machine that nobody uses. They lie below the range that the system gives to
 * outgoing connections, so that none of those takes the port of a node that is down for a moment.
 */
public final class FreePorts {

  private static final int FIRST = 12_000;
  private static final int LAST = 32_000;
  private static final int TRIES_MAX = 2_000;

  /** So many of those given last are not given again: whoever has them may not use them yet. */
  private static final int REMEMBERED = 1_000;

  private static final Set<Integer> GIVEN = new LinkedHashSet<>();

  private FreePorts() {}

  /** Finds different free ports. Safe for many threads. */
  public static synchronized List<Integer> find(int count) {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int tries = 0; held.size() < count; tries++) {
        if (tries == TRIES_MAX) {
          throw new IllegalStateException("no " + count + " free ports on this machine");
        }
        int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
        if (GIVEN.contains(port)) {
          continue;
        }
        ServerSocket socket = new ServerSocket();
        try {
          socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
          held.add(socket);
        } catch (IOException taken) {
          socket.close();
        }
      }
      List<Integer> ports = held.stream().map(ServerSocket::getLocalPort).toList();
      remember(ports);
      return ports;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look for free ports", e);
    } finally {
      held.forEach(FreePorts::close);
    }
  }

  private static void remember(List<Integer> ports) {
    GIVEN.addAll(ports);
    Iterator<Integer> oldest = GIVEN.iterator();
    while (GIVEN.size() > REMEMBERED) {
      oldest.next();
      oldest.remove();
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot give port " + socket.getLocalPort() + " back", e);
    }
  }
}
