package io.leasehold.harness.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a node keeps its state: a small file system of its own in memory, so that it can be filled
 * without harm to anybody else; a plain folder where that cannot be mounted.
 */
final class NodeDisk implements AutoCloseable {

  private static final String SIZE = "160m";

  private final Path folder;
  private final boolean mounted;
  private final String whyNot;

  private NodeDisk(Path folder, boolean mounted, String whyNot) {
    this.folder = folder;
    this.mounted = mounted;
    this.whyNot = whyNot;
  }

  /** A plain folder. */
  static NodeDisk folder(Path folder) throws IOException {
    Files.createDirectories(folder);
    return new NodeDisk(folder, false, "the nodes' state is in plain folders");
  }

  /** A file system of its own if that is possible. */
  static NodeDisk mount(Path folder) throws IOException {
    Files.createDirectories(folder);
    try {
      Shell.run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", folder.toString());
      return new NodeDisk(folder, true, "");
    } catch (IOException e) {
      return new NodeDisk(folder, false, String.valueOf(e.getMessage()));
    }
  }

  Path state() {
    return folder.resolve("state");
  }

  boolean isMounted() {
    return mounted;
  }

  /** Leaves no room; undone by making room again. */
  Network.Undo fill() throws IOException, FaultNotPossibleException {
    if (!mounted) {
      throw new FaultNotPossibleException(whyNot);
    }
    Path ballast = folder.resolve("ballast");
    byte[] zeros = new byte[64 << 10];
    try (OutputStream out = Files.newOutputStream(ballast)) {
      while (true) {
        out.write(zeros);
      }
    } catch (IOException e) {
      return () -> Files.deleteIfExists(ballast); // Full, as it should be.
    }
  }

  @Override
  public void close() {
    if (mounted) {
      Shell.attempt("umount", "-l", folder.toString());
    }
  }
}
