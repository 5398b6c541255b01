package io.leasehold.bench.floor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The leader's own log and its followers: what two of three have is kept. One thread. */
final class FloorQuorum implements FloorReplication {

  private static final int ACKNOWLEDGEMENTS_MAX = 4096;

  private final FloorLog log;
  private final Selector selector;
  private final List<Follower> followers = new ArrayList<>();
  private final ByteBuffer acknowledgements = ByteBuffer.allocateDirect(ACKNOWLEDGEMENTS_MAX);
  private long batches;

  private FloorQuorum(FloorLog log, Selector selector) {
    this.log = log;
    this.selector = selector;
  }

  /** Opens the leader's log and connects to its followers on loopback. */
  static FloorQuorum open(Path logFile, List<Integer> ports) throws IOException {
    FloorQuorum quorum = new FloorQuorum(FloorLog.open(logFile), Selector.open());
    try {
      for (int port : ports) {
        quorum.connect(port);
      }
      return quorum;
    } catch (IOException e) {
      quorum.close();
      throw e;
    }
  }

  private void connect(int port) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    Follower follower = new Follower(channel);
    followers.add(follower);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    SelectionKey unused = channel.register(selector, SelectionKey.OP_READ, follower);
  }

  private static final class Follower {
    final SocketChannel channel;
    long acknowledged;

    Follower(SocketChannel channel) {
      this.channel = channel;
    }
  }

  @Override
  public void replicate(ByteBuffer frame) throws IOException {
    batches++;
    for (Follower follower : followers) {
      ByteBuffer copy = frame.duplicate();
      while (copy.hasRemaining()) {
        // Turns idly only when a follower is so far behind that the socket is full.
        int unused = follower.channel.write(copy);
      }
    }
    log.append(frame);
    while (followers.stream().noneMatch(follower -> follower.acknowledged >= batches)) {
      int unused = selector.select(this::readAcknowledgements);
    }
  }

  private void readAcknowledgements(SelectionKey key) {
    Follower follower = (Follower) key.attachment();
    try {
      int count = follower.channel.read(acknowledgements.clear());
      if (count < 0) {
        throw new IllegalStateException("a follower of the floor has ended");
      }
      follower.acknowledged += count;
    } catch (IOException e) {
      throw new IllegalStateException("a follower of the floor cannot be read from", e);
    }
  }

  @Override
  public void close() throws IOException {
    for (Follower follower : followers) {
      follower.channel.close();
    }
    selector.close();
    log.close();
  }
}
