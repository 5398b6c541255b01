package io.leasehold.bench.floor;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * A node that appends to its log what the leader sends, syncs it, and acknowledges each batch with
 * one byte. Confined to one thread.
 */
final class FloorFollower implements AutoCloseable {

  private final ServerSocketChannel server;
  private final FloorLog log;

  private FloorFollower(ServerSocketChannel server, FloorLog log) {
    this.server = server;
    this.log = log;
  }

  /** Opens a log, and a port of loopback for the leader. */
  static FloorFollower open(Path logFile) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return new FloorFollower(server, FloorLog.open(logFile));
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  int port() throws IOException {
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  /** Serves the one leader that connects until it goes. */
  void serve() {
    ByteBuffer frame = ByteBuffer.allocateDirect(FloorLeader.FRAME_BYTES_MAX);
    ByteBuffer acknowledgement = ByteBuffer.allocateDirect(1);
    try (SocketChannel leader = server.accept()) {
      leader.setOption(StandardSocketOptions.TCP_NODELAY, true);
      while (true) {
        read(leader, frame.clear().limit(Integer.BYTES));
        read(leader, frame.limit(Integer.BYTES + frame.getInt(0)));
        log.append(frame.flip());
        acknowledgement.clear();
        int unused = leader.write(acknowledgement);
      }
    } catch (IOException gone) {
      // The leader has closed the connection, perhaps while a batch was under way: that is the end.
    }
  }

  private static void read(SocketChannel from, ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (from.read(into) < 0) {
        throw new EOFException("the leader has gone");
      }
    }
  }

  @Override
  public void close() throws IOException {
    log.close();
    server.close();
  }
}
