package io.leasehold.store.ratis;

import io.leasehold.store.StoreFigures.DiskUse;
import io.leasehold.time.Ticker;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.server.storage.RaftStorageDirectory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much disk a node takes. Whoever asks gets what was found last, and has it looked at again
 * elsewhere if that is old: a disk that stands still keeps nobody. While nobody asks, nothing is
 * done. Safe for many threads.
 */
final class DiskMeasure {

  private static final Logger LOG = LoggerFactory.getLogger(DiskMeasure.class);

  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final String node;
  private final NodeFolder folder;
  private final Ticker ticker;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile long lookedNanos;
  private volatile DiskUse found = DiskUse.NOT_MEASURED;

  DiskMeasure(String node, NodeFolder folder, Ticker ticker) {
    this.node = node;
    this.folder = folder;
    this.ticker = ticker;
    this.lookedNanos = ticker.nanos() - PAUSE.toNanos();
  }

  /**
   * Returns what was found last.
   *
   * @param lookAgain whether it may be looked at again; not any more once the node is closed
   */
  DiskUse use(boolean lookAgain) {
    if (lookAgain
        && ticker.nanos() - lookedNanos >= PAUSE.toNanos()
        && looking.compareAndSet(false, true)) {
      Thread thread = new Thread(this::look, "leasehold-" + node + "-disk");
      thread.setDaemon(true);
      thread.start();
    }
    return found;
  }

  private void look() {
    try {
      Sizes raft = Sizes.of(folder.raft());
      Sizes table = Sizes.of(folder.table());
      found =
          new DiskUse(
              raft.other,
              table.other,
              raft.snapshots,
              Files.getFileStore(folder.root()).getUsableSpace());
    } catch (IOException e) {
      LOG.debug("the disk of node {} cannot be measured now", node, e);
    } finally {
      lookedNanos = ticker.nanos();
      looking.set(false);
    }
  }

  /** Adds up what is there; files may come and go meanwhile. */
  private static final class Sizes extends SimpleFileVisitor<Path> {

    private final Path root;
    private long snapshots;
    private long other;

    private Sizes(Path root) {
      this.root = root;
    }

    static Sizes of(Path folder) throws IOException {
      Sizes sizes = new Sizes(folder);
      Files.walkFileTree(folder, sizes);
      return sizes;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      boolean inSnapshot = false;
      for (Path part : root.relativize(file)) {
        inSnapshot |= part.toString().equals(RaftStorageDirectory.STATE_MACHINE_DIR_NAME);
      }
      if (inSnapshot) {
        snapshots += attributes.size();
      } else {
        other += attributes.size();
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }
}
