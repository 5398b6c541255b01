package io.leasehold.bench.peers;

import io.leasehold.harness.chaos.relay.LinkCondition;
import io.leasehold.harness.chaos.relay.Relay;
import io.leasehold.harness.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/** The one way from a client to a server, which can be cut silently. */
record CuttableLink(String address, Relay relay) implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final String CUT = "cut";

  static CuttableLink to(int port) {
    int own = FreePorts.find(1).get(0);
    try {
      return new CuttableLink(
          HOST + ":" + own,
          Relay.open(new InetSocketAddress(HOST, own), new InetSocketAddress(HOST, port)));
    } catch (IOException e) {
      throw new UncheckedIOException("no link to " + port, e);
    }
  }

  void cut() {
    relay.impose(CUT, LinkCondition.parse("stall both"));
  }

  void mend() {
    relay.lift(CUT);
  }

  @Override
  public void close() {
    relay.close();
  }
}
