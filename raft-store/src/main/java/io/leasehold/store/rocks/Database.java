package io.leasehold.store.rocks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB with its exceptions turned into ours, and safe to be closed while others read: whoever
 * touches a closed native handle takes the whole process down. Every use therefore holds the read
 * lock, and closing waits for the uses under way. Safe for many threads.
 */
final class Database implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final Path folder;
  private final RocksOptions options;
  private final RocksDB db;
  private final boolean isCopy;
  private final View latest;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Object viewsLock = new Object();

  @GuardedBy("viewsLock")
  private final Set<View> views = new HashSet<>();

  /** Written under the write lock. */
  private boolean closed;

  private Database(Path folder, RocksOptions options, RocksDB db, boolean isCopy) {
    this.folder = folder;
    this.options = options;
    this.db = db;
    this.isCopy = isCopy;
    this.latest = new View(new ReadOptions(), null);
  }

  /** Opens the database in a folder, which is created if it is not there. */
  static Database open(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new TableException("cannot create the folder of the table, " + folder, e);
    }
    requireWhole(folder);
    NativeLibrary.load();
    RocksOptions options = new RocksOptions();
    try {
      RocksDB db = RocksDB.open(options.options(), folder.toString());
      return new Database(folder, options, db, false);
    } catch (RocksDBException e) {
      options.close();
      throw new TableException("cannot open the table in " + folder + ": " + e.getMessage(), e);
    }
  }

  /** Opens a copy that {@link #checkpoint} has made, only to be read. */
  static Database openCopy(Path folder) {
    NativeLibrary.load();
    RocksOptions options = new RocksOptions();
    try {
      RocksDB db = RocksDB.openReadOnly(options.options(), folder.toString());
      return new Database(folder, options, db, true);
    } catch (RocksDBException e) {
      options.close();
      throw new TableException(
          "cannot open the copy of the table in " + folder + ": " + e.getMessage(), e);
    }
  }

  /**
   * Finds out what RocksDB would say in its own words: {@code CURRENT} names the file that names
   * all the others.
   */
  private static void requireWhole(Path folder) {
    try {
      Optional<String> lost = lostFile(folder);
      if (lost.isPresent()) {
        throw new TableException(
            "the table in %s has lost its file %s".formatted(folder, lost.get()));
      }
    } catch (IOException e) {
      throw new TableException("cannot read the folder of the table, " + folder, e);
    }
  }

  private static Optional<String> lostFile(Path folder) throws IOException {
    Path current = folder.resolve("CURRENT");
    if (!Files.exists(current)) {
      try (Stream<Path> files = Files.list(folder)) {
        boolean isNew = files.noneMatch(file -> file.toString().matches(".*\\.(sst|log)"));
        return isNew ? Optional.empty() : Optional.of("CURRENT");
      }
    }
    String named = Files.readString(current, StandardCharsets.ISO_8859_1).strip();
    return Optional.of(named)
        .filter(name -> name.matches("MANIFEST-\\d+") && !Files.exists(folder.resolve(name)));
  }

  Path folder() {
    return folder;
  }

  /** Returns the view that always shows the last write. */
  View latest() {
    return latest;
  }

  /** Returns a view that goes on showing what is there now, until it is closed. */
  View viewOfNow() {
    return using(
        () -> {
          Snapshot snapshot = db.getSnapshot();
          View view = new View(new ReadOptions().setSnapshot(snapshot), snapshot);
          synchronized (viewsLock) {
            views.add(view);
          }
          return view;
        });
  }

  byte @Nullable [] get(View view, byte[] key) {
    return using(
        () -> {
          requireOpen(view);
          try {
            return db.get(view.options, key);
          } catch (RocksDBException e) {
            throw failed("read " + KeyLayout.describe(key), e);
          }
        });
  }

  /** Walks the rows whose keys begin so, in their order, until the visitor has enough. */
  void scan(View view, byte[] prefix, Visitor visitor) {
    using(
        () -> {
          requireOpen(view);
          try (Slice end = new Slice(KeyLayout.after(prefix));
              ReadOptions bounded = new ReadOptions(view.options).setIterateUpperBound(end);
              RocksIterator rows = db.newIterator(bounded)) {
            rows.seek(prefix);
            while (rows.isValid() && visitor.visit(rows.key(), rows.value())) {
              rows.next();
            }
            rows.status();
          } catch (RocksDBException e) {
            throw failed("read the rows from " + KeyLayout.describe(prefix) + " on", e);
          }
          return true;
        });
  }

  /** Makes all of a batch visible at once. It is on disk after the next {@link #flush}. */
  void write(Filling filling) {
    using(
        () -> {
          try (WriteBatch batch = new WriteBatch()) {
            filling.fill(batch);
            db.write(options.writeOptions(), batch);
          } catch (RocksDBException e) {
            throw failed("write", e);
          }
          return true;
        });
  }

  /** Returns when everything written so far is on disk. */
  void flush() {
    using(
        () -> {
          flushNow();
          return true;
        });
  }

  /** Has everything written so far brought to disk meanwhile, unless that is being done already. */
  void flushSoon() {
    using(
        () -> {
          try {
            if (db.getLongProperty("rocksdb.num-immutable-mem-table") == 0) {
              flush(false);
            }
          } catch (RocksDBException e) {
            throw failed("read the state of memory", e);
          }
          return true;
        });
  }

  private void flushNow() {
    flush(true);
  }

  @SuppressWarnings("try") // the options only live as long as the call
  private void flush(boolean waiting) {
    try (FlushOptions flush =
        new FlushOptions().setWaitForFlush(waiting).setAllowWriteStall(true)) {
      db.flush(flush);
    } catch (RocksDBException e) {
      throw failed("flush", e);
    }
  }

  /** Fails if the database is closed. */
  void requireOpen() {
    boolean unused = using(() -> true);
  }

  boolean isOpen() {
    lock.readLock().lock();
    try {
      return !closed;
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Flushes, then makes a folder with hard links to the files; it must not be there yet. */
  void checkpoint(Path target) {
    using(
        () -> {
          flushNow();
          try (Checkpoint checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(target.toString());
          } catch (RocksDBException e) {
            throw failed("make a checkpoint in " + target, e);
          }
          return true;
        });
  }

  /** Reads every file to its end, and fails unless each block has the checksum it says. */
  void verify() {
    using(
        () -> {
          try {
            db.verifyChecksum();
          } catch (RocksDBException e) {
            throw failed("verify the files", e);
          }
          return true;
        });
  }

  void close(View view) {
    lock.readLock().lock();
    try {
      synchronized (viewsLock) {
        if (!views.remove(view)) {
          return;
        }
      }
      view.release(db);
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Flushes and closes; waits for the uses under way. Views that are still open become unusable.
   */
  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      if (!isCopy) {
        flushAtLast();
      }
      synchronized (viewsLock) {
        views.forEach(view -> view.release(db));
        views.clear();
      }
      latest.release(db);
      db.close();
      options.close();
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void flushAtLast() {
    try {
      flushNow();
    } catch (TableException e) {
      LOG.warn("the table in {} is closed without a flush; the log will be replayed", folder, e);
    }
  }

  private <T extends @Nullable Object> T using(Use<T> use) {
    lock.readLock().lock();
    try {
      if (closed) {
        throw new TableException("the table in " + folder + " is closed");
      }
      return use.run();
    } finally {
      lock.readLock().unlock();
    }
  }

  private void requireOpen(View view) {
    if (view.released) {
      throw new IllegalStateException("this view of the table in " + folder + " is closed");
    }
  }

  private TableException failed(String what, RocksDBException cause) {
    return new TableException(
        "cannot %s in the table in %s: %s".formatted(what, folder, cause.getMessage()), cause);
  }

  /** What a read sees. Confined to the thread that reads, and closes, through it. */
  static final class View {
    private final ReadOptions options;
    private final @Nullable Snapshot snapshot;
    private volatile boolean released;

    private View(ReadOptions options, @Nullable Snapshot snapshot) {
      this.options = options;
      this.snapshot = snapshot;
    }

    private void release(RocksDB db) {
      released = true;
      options.close();
      if (snapshot != null) {
        db.releaseSnapshot(snapshot);
      }
    }
  }

  /** Is shown one row after the other; returns whether to go on. */
  interface Visitor {
    boolean visit(byte[] key, byte[] value);
  }

  /** Fills a batch. */
  interface Filling {
    void fill(WriteBatch batch) throws RocksDBException;
  }

  private interface Use<T extends @Nullable Object> {
    T run();
  }
}
