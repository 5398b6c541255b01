package io.leasehold.harness.chaos.relay;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One link: takes connections and passes on what comes, both ways, under all conditions that are
 * imposed on it just then. Safe for many threads.
 */
public final class Relay implements AutoCloseable {

  private static final int CHUNK = 16 << 10;
  private static final int CONNECT_LIMIT_MILLIS = 3_000;

  /** As much as a long, fat link holds; then the sender has to wait. */
  private static final int BYTES_UNDER_WAY_MAX = 1 << 20;

  private final ServerSocket listening;
  private final InetSocketAddress target;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, LinkCondition> imposed = new HashMap<>();
  private LinkCondition condition = LinkCondition.GOOD;

  private Relay(ServerSocket listening, InetSocketAddress target) {
    this.listening = listening;
    this.target = target;
  }

  /** Opens a link. */
  public static Relay open(InetSocketAddress at, InetSocketAddress target) throws IOException {
    ServerSocket listening = new ServerSocket();
    listening.setReuseAddress(true);
    listening.bind(at);
    Relay relay = new Relay(listening, target);
    start("relay-to-" + target, relay::accept);
    return relay;
  }

  /** The port it listens on. */
  public int port() {
    return listening.getLocalPort();
  }

  /**
   * Imposes a condition, on what is under way as well.
   *
   * @param key names it, so that it can be lifted
   */
  public void impose(String key, LinkCondition added) {
    change(() -> imposed.put(key, added));
    if (added.refused()) {
      drop();
    }
  }

  /** Lifts a condition. */
  public void lift(String key) {
    change(() -> imposed.remove(key));
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      Collection<LinkCondition> all = imposed.values();
      condition = all.stream().reduce(LinkCondition.GOOD, LinkCondition::and);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Resets all connections. */
  public void drop() {
    connections.forEach(Connection::reset);
  }

  /** Closes all connections in one direction: who connected hears nothing more, and may speak. */
  public void halfClose() {
    connections.forEach(Connection::halfClose);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket near = listening.accept();
        start("relay-connect", () -> connect(near));
      } catch (IOException e) {
        // Closed, or one connection less.
      }
    }
  }

  private void connect(Socket near) {
    Socket far = new Socket();
    Connection connection = new Connection(near, far);
    connections.add(connection);
    try {
      if (now().refused()) {
        connection.reset();
        return;
      }
      far.connect(target, CONNECT_LIMIT_MILLIS);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      connection.pass();
    } catch (IOException e) {
      connection.reset();
    }
  }

  private LinkCondition now() {
    lock.lock();
    try {
      return condition;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      // Nobody connects any more either way.
    }
    drop();
    change(() -> {}); // wakes who waits, to find the connection gone
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private final class Connection {
    private final Socket near;
    private final Socket far;

    Connection(Socket near, Socket far) {
      this.near = near;
      this.far = far;
    }

    void pass() {
      new Direction(this, near, far, true).start();
      new Direction(this, far, near, false).start();
    }

    void halfClose() {
      try {
        near.shutdownOutput();
      } catch (IOException e) {
        // It has ended by itself.
      }
    }

    void reset() {
      connections.remove(this);
      for (Socket socket : new Socket[] {near, far}) {
        try {
          socket.setSoLinger(true, 0);
          socket.close();
        } catch (IOException e) {
          // It has ended by itself.
        }
      }
      change(() -> {});
    }

    boolean isOver() {
      return near.isClosed() || far.isClosed();
    }
  }

  /** Bytes that came at a moment; none for the end. */
  private record Chunk(ByteBuffer bytes, long cameNanos) {}

  /** One direction of one connection: what reads, what is under way, and what writes. */
  private final class Direction {
    private final Connection connection;
    private final Socket from;
    private final Socket to;
    private final boolean forward;
    private final Deque<Chunk> underWay = new ArrayDeque<>();
    private long bytesUnderWay;
    private long freeNanos = System.nanoTime();

    Direction(Connection connection, Socket from, Socket to, boolean forward) {
      this.connection = connection;
      this.from = from;
      this.to = to;
      this.forward = forward;
    }

    void start() {
      Relay.start("relay-read", this::read);
      Relay.start("relay-write", this::write);
    }

    private void read() {
      byte[] buffer = new byte[CHUNK];
      try {
        int length;
        do {
          length = from.getInputStream().read(buffer);
          put(
              new Chunk(
                  ByteBuffer.wrap(Arrays.copyOf(buffer, Math.max(0, length))), System.nanoTime()));
        } while (length > 0);
      } catch (IOException e) {
        connection.reset();
      }
    }

    private void put(Chunk chunk) {
      lock.lock();
      try {
        while (bytesUnderWay > BYTES_UNDER_WAY_MAX && !connection.isOver()) {
          changed.awaitUninterruptibly();
        }
        underWay.add(chunk);
        bytesUnderWay += chunk.bytes().remaining();
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void write() {
      try {
        Chunk next = take();
        while (next.bytes().remaining() > 0) {
          to.getOutputStream().write(next.bytes().array());
          next = take();
        }
        to.shutdownOutput();
      } catch (IOException e) {
        connection.reset();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private Chunk take() throws InterruptedException, IOException {
      lock.lock();
      try {
        while (true) {
          if (connection.isOver()) {
            throw new IOException("reset");
          }
          Chunk next = underWay.peek();
          if (next == null || condition.isStalled(forward)) {
            changed.await();
            continue;
          }
          long now = System.nanoTime();
          long due = Math.max(next.cameNanos() + condition.delayNanos() - now, freeNanos - now);
          if (due > 0) {
            long unused = changed.awaitNanos(due);
            continue;
          }
          underWay.remove();
          bytesUnderWay -= next.bytes().remaining();
          freeNanos =
              now + TimeUnit.SECONDS.toNanos(next.bytes().remaining()) / condition.bytesPerSecond();
          changed.signalAll();
          return next;
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
