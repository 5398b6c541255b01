package io.leasehold.store.ratis;

import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.rocks.TableException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can be wrong when a node starts, in sentences for people. */
final class StartFailures {

  /** A member that has forgotten what it promised may not promise again. */
  static final String LOST =
      "bring the folder back as it was, not an older copy; without it, empty the folder, start this node and add it anew (README, A lost disk)";

  private StartFailures() {}

  /** Refuses to start on a port that is not free; Ratis would end the process. */
  static void requireFreePort(StoreConfig config) {
    int port = config.self().port();
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(config.bindHost()), port));
    } catch (UnknownHostException e) {
      throw new StoreStartException(
          "host %s of node %s cannot be resolved: correct the member's host"
              .formatted(config.bindHost(), config.nodeId()),
          e);
    } catch (IOException e) {
      throw isHere(config.bindHost()) ? cannotListen(config, e) : foreignAddress(config, e);
    }
  }

  /** Whether this machine has the address: then any free port of it can be listened on. */
  private static boolean isHere(String host) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), 0));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static StoreStartException foreignAddress(StoreConfig config, Throwable cause) {
    return new StoreStartException(
        "node %s cannot listen on %s, which is no address of this machine (%s): correct the member's host, or set bindHost to an address that this machine has"
            .formatted(config.nodeId(), config.bindHost(), cause.getMessage()),
        cause);
  }

  private static StoreStartException cannotListen(StoreConfig config, Throwable cause) {
    return new StoreStartException(
        "node %s cannot listen on %s port %d (%s): stop who uses it, or give the node another address"
            .formatted(
                config.nodeId(), config.bindHost(), config.self().port(), cause.getMessage()),
        cause);
  }

  /** Says what has kept a node from starting. */
  static StoreStartException explain(StoreConfig config, Throwable failure) {
    Optional<StoreStartException> known = known(failure);
    if (known.isPresent()) {
      return known.get();
    }
    if (DiskFailure.isFull(failure)) {
      return diskIsFull(config, failure);
    }
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof BindException) {
        return cannotListen(config, each);
      } else if (each instanceof TableException) {
        return new StoreStartException(
            "node %s cannot use its table (%s): delete the folder %s, and the table is made anew from the snapshot and the log"
                .formatted(config.nodeId(), each.getMessage(), NodeFolder.table(config.folder())),
            failure);
      }
    }
    if (hasNoRoom(config.folder())) {
      return diskIsFull(config, failure);
    }
    return new StoreStartException(
        "node %s cannot read its Raft state in %s (%s): %s"
            .formatted(
                config.nodeId(),
                config.folder(),
                DiskFailure.innermost(failure).getMessage(),
                LOST),
        failure);
  }

  static StoreStartException diskIsFull(StoreConfig config, @Nullable Throwable failure) {
    return new StoreStartException(
        "node %s cannot start because the disk of %s is full: make room and start it again"
            .formatted(config.nodeId(), config.folder()),
        failure);
  }

  /** Refuses to start where Ratis would not find the room that it wants to begin with. */
  static void requireRoom(StoreConfig config) {
    if (hasNoRoom(config.folder())) {
      throw diskIsFull(config, null);
    }
  }

  /** Ratis does not always say that this is what it lacks. */
  private static boolean hasNoRoom(Path folder) {
    try {
      return Files.getFileStore(folder).getUsableSpace() < RatisSettings.FREE_BYTES_MIN;
    } catch (IOException e) {
      return false; // Not known; the failure is told as it is.
    }
  }

  private static Optional<StoreStartException> known(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof StoreStartException sentence) {
        return Optional.of(sentence);
      }
    }
    return Optional.empty();
  }
}
