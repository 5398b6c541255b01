package io.leasehold.harness.chaos;

import io.leasehold.harness.chaos.Network.Undo;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a node keeps its state: a small file system of its own, so that it can be filled without
 * harm to anybody else, and cut off from its power; a plain folder where that cannot be mounted.
 *
 * <p>Power is lost by going on with a copy of what has reached the image below the file system. All
 * else was in memory only: the journal is told to commit when asked to, by sync, and hardly ever by
 * itself. Confined to the run's thread.
 */
final class NodeDisk implements AutoCloseable {

  private static final int MEGABYTES = 160;

  private final Path folder;
  private final Path images;
  private final boolean mounted;
  private final String whyNot;
  private int image;
  private boolean filled;

  private NodeDisk(Path folder, Path images, boolean mounted, String whyNot) {
    this.folder = folder;
    this.images = images;
    this.mounted = mounted;
    this.whyNot = whyNot;
  }

  /** A plain folder. */
  static NodeDisk folder(Path folder) throws IOException {
    Files.createDirectories(folder);
    return new NodeDisk(folder, folder, false, "the nodes' state is in plain folders");
  }

  /**
   * A file system of its own if that is possible.
   *
   * @param images where its image is kept
   */
  static NodeDisk mount(Path folder, Path images) throws IOException {
    Files.createDirectories(folder);
    NodeDisk disk = new NodeDisk(folder, images, true, "");
    try {
      Shell.run("truncate", "--size=" + MEGABYTES + "M", disk.image().toString());
      Shell.run("mkfs.ext4", "-q", "-F", "-m", "0", disk.image().toString());
      disk.mountImage();
      return disk;
    } catch (IOException e) {
      return new NodeDisk(
          folder, images, false, "no file systems of the nodes' own here (" + e.getMessage() + ")");
    }
  }

  private Path image() {
    return images.resolve(folder.getFileName() + "-" + image + ".img");
  }

  private void mountImage() throws IOException {
    Shell.run("mount", "-o", "loop,commit=300,noatime", image().toString(), folder.toString());
  }

  Path state() {
    return folder.resolve("state");
  }

  /** One sentence for the report on what this disk is. */
  String means() {
    return mounted ? "a small ext4 of each node's own" : whyNot;
  }

  /** Leaves no room; undone by making room again. */
  Undo fill() throws IOException, FaultNotPossibleException {
    requireMounted();
    filled = true;
    writeBallast();
    return () -> {
      filled = false;
      Files.deleteIfExists(ballast());
    };
  }

  private Path ballast() {
    return folder.resolve("ballast");
  }

  private void writeBallast() {
    byte[] zeros = new byte[64 << 10];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      while (true) {
        out.write(zeros);
      }
    } catch (IOException e) {
      // Full, as it should be.
    }
  }

  void requireMounted() throws FaultNotPossibleException {
    if (!mounted) {
      throw new FaultNotPossibleException(whyNot);
    }
  }

  /** Copies what has reached the disk, while nobody writes. */
  void copy() throws IOException {
    Path from = image();
    image++;
    Shell.run("cp", "--sparse=always", from.toString(), image().toString());
  }

  /** Goes on with the copy: what was in memory only is lost. */
  void goOnWithCopy() throws IOException {
    Shell.run("umount", "-l", folder.toString());
    Files.delete(images.resolve(folder.getFileName() + "-" + (image - 1) + ".img"));
    mountImage();
    if (filled) {
      writeBallast();
    } else {
      Files.deleteIfExists(ballast());
    }
  }

  @Override
  public void close() {
    if (mounted) {
      Shell.attempt("umount", "-l", folder.toString());
    }
  }
}
