package io.leasehold.bench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A folder that is removed, with all that is in it, when it is closed. */
public record WorkFolder(Path path) implements AutoCloseable {

  /** Makes one among the temporary files. */
  public static WorkFolder create() {
    try {
      return new WorkFolder(Files.createTempDirectory("leasehold-bench-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a temporary folder", e);
    }
  }

  /** Makes one inside another folder, whose disk is to be measured. */
  public static WorkFolder createIn(Path parent) {
    try {
      return new WorkFolder(Files.createTempDirectory(parent, "leasehold-bench-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder in " + parent, e);
    }
  }

  @Override
  public void close() {
    try {
      Files.walkFileTree(path, new Removal());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + path, e);
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
