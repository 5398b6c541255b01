package io.leasehold.holder;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The one way from a client to a server on this machine, which can be made to stand still: what is
 * sent meanwhile arrives when it is mended. Safe for many threads.
 */
public final class CuttableLink implements AutoCloseable {

  private final int target;
  private final ServerSocket door;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Gate toServer = new Gate();
  private final Gate toClient = new Gate();

  private CuttableLink(int target, ServerSocket door) {
    this.target = target;
    this.door = door;
  }

  /** Opens a way to a port. */
  public static CuttableLink to(int port) {
    try {
      CuttableLink link =
          new CuttableLink(port, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      start("link", link::acceptAll);
      return link;
    } catch (IOException e) {
      throw new UncheckedIOException("no link to " + port, e);
    }
  }

  /** Returns the address for the client. */
  public String url() {
    return "http://127.0.0.1:" + door.getLocalPort();
  }

  /** Nothing passes any more, in either direction. */
  public void cut() {
    toServer.set(false);
    toClient.set(false);
  }

  /** Nothing passes to the client any more. */
  public void deafen() {
    toClient.set(false);
  }

  /** All passes again. */
  public void mend() {
    toServer.set(true);
    toClient.set(true);
  }

  @Override
  public void close() {
    closed(door);
    sockets.forEach(CuttableLink::closed);
    mend();
  }

  private void acceptAll() throws IOException {
    while (true) {
      Socket client = kept(door.accept());
      Socket server = kept(new Socket(InetAddress.getLoopbackAddress(), target));
      start("link-to-server", () -> pump(client, server, toServer));
      start("link-to-client", () -> pump(server, client, toClient));
    }
  }

  private Socket kept(Socket socket) {
    sockets.add(socket);
    if (door.isClosed()) {
      closed(socket);
    }
    return socket;
  }

  private static void pump(Socket from, Socket to, Gate gate)
      throws IOException, InterruptedException {
    try {
      byte[] buffer = new byte[16_384];
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        gate.pass();
        out.write(buffer, 0, length);
      }
      gate.pass();
    } finally {
      closed(from);
      closed(to);
    }
  }

  private static void closed(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      throw new IllegalStateException("a socket does not close", e);
    }
  }

  private static void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException | InterruptedException end) {
                // One side is gone, and so is the way.
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static final class Gate {

    private boolean open = true;

    synchronized void set(boolean nowOpen) {
      open = nowOpen;
      notifyAll();
    }

    synchronized void pass() throws InterruptedException {
      while (!open) {
        wait();
      }
    }
  }
}
