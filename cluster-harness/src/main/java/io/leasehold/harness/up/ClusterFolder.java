package io.leasehold.harness.up;

import io.leasehold.harness.wire.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a cluster's data is: a folder that stays, or a temporary one. */
final class ClusterFolder {

  private static final int NODES_BY_DEFAULT = 3;

  private final Path path;
  private final boolean isTemporary;
  private final Ports ports;

  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // held until the process ends
  private final @Nullable FileLock claim;

  private ClusterFolder(Path path, boolean isTemporary, Ports ports, @Nullable FileLock claim) {
    this.path = path;
    this.isTemporary = isTemporary;
    this.ports = ports;
    this.claim = claim;
  }

  /** A new folder for the time of this process. */
  static ClusterFolder temporary(OptionalInt nodes) {
    try {
      Path path = Files.createTempDirectory("leasehold-up-");
      return new ClusterFolder(path, true, Ports.find(nodes.orElse(NODES_BY_DEFAULT)), null);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a temporary folder: " + e.getMessage(), e);
    }
  }

  /**
   * A folder that stays, with the cluster in it, or a new one.
   *
   * @param nodes how many it must have; empty for as many as it has
   * @throws IllegalArgumentException when that cannot be, with one sentence that says why
   */
  static ClusterFolder of(Path given, OptionalInt nodes) {
    Path path = given.toAbsolutePath().normalize();
    try {
      Files.createDirectories(path);
      FileLock claim = claim(path);
      Path file = path.resolve("cluster.json");
      Ports ports =
          Files.exists(file)
              ? read(path, file, nodes).stillFree()
              : Ports.find(nodes.orElse(NODES_BY_DEFAULT));
      Files.writeString(file, Wire.text(ports) + "\n");
      return new ClusterFolder(path, false, ports, claim);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "--dir " + path + " is no folder that can be written to: give another one", e);
    }
  }

  private static FileLock claim(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path.resolve("up.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock claim = channel.tryLock();
    if (claim == null) {
      channel.close();
      throw new IllegalArgumentException(
          "--dir " + path + " is in use by another `up`: end that one, or give another folder");
    }
    return claim;
  }

  private static Ports read(Path path, Path file, OptionalInt nodes) throws IOException {
    Ports ports;
    try {
      ports = Wire.read(Files.readString(file), Ports.class);
    } catch (UncheckedIOException e) {
      throw new IllegalArgumentException(
          file + " is damaged: delete " + path + ", or give another --dir", e);
    }
    if (nodes.isPresent() && nodes.getAsInt() != ports.nodes()) {
      throw new IllegalArgumentException(
          "--dir %s has a cluster of %d nodes: say --nodes %2$d, or give another folder"
              .formatted(path, ports.nodes()));
    }
    return ports;
  }

  Path path() {
    return path;
  }

  Ports ports() {
    return ports;
  }

  boolean isTemporary() {
    return isTemporary;
  }

  /** Removes it if it was for the time of this process only; what cannot be is left. */
  void leave() {
    if (!isTemporary) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // It is in the system's folder for such things, and harms nobody.
    }
  }
}
