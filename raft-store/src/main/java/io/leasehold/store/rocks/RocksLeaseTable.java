package io.leasehold.store.rocks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.store.codec.RowCodec;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Change;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.LeaseView;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.StoreState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table in RocksDB. What RocksDB has is always exactly the entries up to some index: the index
 * is written together with all changes up to there, so whatever is lost in a crash is lost from the
 * end, entry by entry, and comes back when the log is applied again from there.
 *
 * <p>It is given what has changed when there is enough of it ({@link Unwritten}), and has it on
 * disk soon after so many entries, that a restart has few of them to apply again. Whoever reads
 * sees every entry that has been applied.
 *
 * <p>Reads and writes belong to the thread that applies. {@link #appliedIndex}, {@link
 * #appliedTerm}, {@link #checkpoint}, {@link #reader} and {@link #close} are safe for many threads.
 * Every method may throw {@link TableException}.
 */
public final class RocksLeaseTable implements LeaseView, AutoCloseable {

  /** The format of the table that this version writes, and the newest that it reads. */
  public static final int FORMAT = 1;

  private static final Logger LOG = LoggerFactory.getLogger(RocksLeaseTable.class);
  private static final RowCodec ROWS = new RowCodec();
  private static final RowCodec.Applied NOTHING = new RowCodec.Applied(0, 0);

  /** What is kept from RocksDB at most: some megabytes of heap. */
  private static final int UNWRITTEN_MAX = 8_192;

  /**
   * After so many entries they are brought to disk: they are applied again in less than a second.
   */
  public static final int ENTRIES_PER_FLUSH = 1_024;

  private final Database database;
  private final Rows rows;
  private final RecentLeases recent = new RecentLeases();
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Unwritten unwritten = new Unwritten();

  /** While an entry or a batch is being taken, and for ever if that has failed. */
  @GuardedBy("lock")
  private boolean broken;

  /** The last entry that RocksDB has. */
  @GuardedBy("lock")
  private long written;

  private int entriesSinceFlush;
  private volatile RowCodec.Applied applied;
  private StoreState state;

  private RocksLeaseTable(Database database, Rows rows) {
    this.database = database;
    this.rows = rows;
    this.applied = rows.applied().orElse(NOTHING);
    this.state = rows.state();
    this.written = applied.index();
  }

  /**
   * Opens the table in a folder, which is created if it is not there.
   *
   * @throws TableException if another process has it open, or it is corrupt or of a newer version
   */
  public static RocksLeaseTable open(Path folder) {
    Database database = Database.open(folder);
    try {
      Rows rows = new Rows(database, database.latest());
      requireReadable(database, rows);
      RocksLeaseTable table = new RocksLeaseTable(database, rows);
      LOG.info(
          "the table in {} is open at index {} of term {}",
          folder,
          table.appliedIndex(),
          table.appliedTerm());
      return table;
    } catch (TableException e) {
      database.close();
      throw e;
    }
  }

  private static void requireReadable(Database database, Rows rows) {
    Optional<Integer> format = rows.format();
    if (format.isEmpty() && rows.applied().isEmpty()) {
      byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt(FORMAT).array();
      database.write(batch -> batch.put(KeyLayout.FORMAT, value));
    } else {
      requireKnownFormat(database, format);
    }
  }

  private static void requireKnownFormat(Database database, Optional<Integer> format) {
    if (format.isEmpty()) {
      throw new TableException("the table in " + database.folder() + " does not say its format");
    } else if (format.get() > FORMAT) {
      throw new TableException(
          ("the table in %s was written by a newer version (format %d, this node reads %d):"
                  + " upgrade this node")
              .formatted(database.folder(), format.get(), FORMAT));
    } else if (format.get() < 1) {
      throw new TableException(
          "the table in %s is corrupt: there is no format %d"
              .formatted(database.folder(), format.get()));
    }
  }

  /** Returns the term of the last entry that is in the table; 0 before the first. */
  public long appliedTerm() {
    return applied.term();
  }

  /** Returns the index of the last entry that is in the table; 0 before the first. */
  public long appliedIndex() {
    return applied.index();
  }

  @Override
  public StoreState state() {
    return state;
  }

  @Override
  public Optional<HeldLease> lease(String name) {
    return recent.lease(name, this::unrememberedLease);
  }

  private Optional<HeldLease> unrememberedLease(String name) {
    synchronized (lock) {
      return unwritten.lease(name, rows::lease);
    }
  }

  @Override
  public Optional<Session> session(SessionId id) {
    synchronized (lock) {
      return unwritten.session(id, rows::session);
    }
  }

  @Override
  public List<Event> news(SessionId id) {
    synchronized (lock) {
      return unwritten.news(id, rows::news).orElse(List.of());
    }
  }

  @Override
  public Optional<BatchReply> lastReply(SessionId id) {
    synchronized (lock) {
      return unwritten.lastReply(id, rows::lastReply);
    }
  }

  @Override
  public List<Claim> claims(SessionId id) {
    synchronized (lock) {
      writeOut();
      return rows.claims(id);
    }
  }

  /**
   * Makes what an entry amounts to part of the table, all of it or nothing.
   *
   * @param changes in the order in which they are to be made
   * @param term of the entry
   * @param index of the entry; greater than that of every entry written before
   */
  public void write(List<Change> changes, long term, long index) {
    if (index <= applied.index()) {
      throw new IllegalStateException(
          "entry %d comes after entry %d".formatted(index, applied.index()));
    }
    RowCodec.Applied after = new RowCodec.Applied(term, index);
    database.requireOpen();
    synchronized (lock) {
      requireIntact();
      broken = true;
      unwritten.add(changes, recent::isKnownFree);
      applied = after;
      broken = false;
      if (unwritten.weight() >= UNWRITTEN_MAX) {
        writeOut();
      }
    }
    recent.written(changes);
    for (Change change : changes) {
      if (change instanceof Change.PutState put) {
        state = put.state();
      }
    }
    entriesSinceFlush++;
    if (entriesSinceFlush >= ENTRIES_PER_FLUSH) {
      flushSoon();
    }
  }

  private void flushSoon() {
    synchronized (lock) {
      writeOut();
    }
    database.flushSoon();
    entriesSinceFlush = 0;
  }

  /** Gives RocksDB what it does not have yet. */
  @GuardedBy("lock")
  private void writeOut() {
    RowCodec.Applied upTo = applied;
    if (upTo.index() == written) {
      return;
    }
    requireIntact();
    broken = true;
    Unwritten changes = unwritten;
    database.write(
        batch -> {
          changes.fill(batch);
          batch.put(KeyLayout.APPLIED, ROWS.encode(upTo));
        });
    unwritten.clear();
    written = upTo.index();
    broken = false;
  }

  /**
   * An error may have left an entry here in part, or in the database without its index: neither
   * must be built upon, for the entry will be applied again.
   */
  @GuardedBy("lock")
  private void requireIntact() {
    if (broken) {
      throw new TableException(
          "the table in %s has failed after entry %d: start this node again"
              .formatted(database.folder(), applied.index()));
    }
  }

  /** Returns when everything up to the applied index is on disk. */
  public void flush() {
    synchronized (lock) {
      writeOut();
    }
    database.flush();
  }

  /**
   * Makes a copy of the table, by hard links to its files. For any thread: entries go on being
   * applied meanwhile, and the copy has what there was when the last of its files was written.
   *
   * @param folder where; it must not be there yet, its parent must be, and on the same file system
   * @return the last entry that the copy has
   */
  public RowCodec.Applied checkpoint(Path folder) {
    synchronized (lock) {
      writeOut();
    }
    database.checkpoint(folder);
    return inCopy(folder, copy -> new Rows(copy, copy.latest()).applied().orElse(NOTHING));
  }

  /**
   * Reads all of a copy.
   *
   * @return the last entry that it has
   * @throws TableException if anything is missing in it or not as it was written
   */
  public static RowCodec.Applied verifyCopy(Path folder) {
    return inCopy(
        folder,
        copy -> {
          copy.verify();
          Rows rows = new Rows(copy, copy.latest());
          requireKnownFormat(copy, rows.format());
          return rows.applied().orElse(NOTHING);
        });
  }

  private static <T> T inCopy(Path folder, Function<Database, T> question) {
    try (Database copy = Database.openCopy(folder)) {
      return question.apply(copy);
    } finally {
      deleteLogsOfReading(folder);
    }
  }

  /** RocksDB tells of a reading, too, beside what it reads. */
  private static void deleteLogsOfReading(Path folder) {
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "LOG*")) {
      for (Path log : logs) {
        Files.delete(log);
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("a reading of the copy in {} has left its log", folder, e);
    }
  }

  /** Gives every session all of its time to live, from the lease time of the last entry on. */
  public void renewAll() {
    long now = state.leaseTimeNanos();
    synchronized (lock) {
      writeOut();
    }
    List<Session> sessions = rows.sessions();
    database.write(
        batch -> {
          for (Session session : sessions) {
            batch.put(KeyLayout.session(session.id()), ROWS.encode(session.renewedAt(now)));
          }
        });
    flush();
  }

  /** Returns a view of the table at this moment, for one other thread; it has to be closed. */
  public TableReader reader() {
    synchronized (lock) {
      writeOut();
      return new TableReader(database);
    }
  }

  /**
   * Brings everything to disk and closes. Waits for reads under way; readers that are open fail
   * from then on.
   */
  @Override
  public void close() {
    synchronized (lock) {
      if (database.isOpen()) {
        try {
          writeOut();
        } catch (TableException e) {
          LOG.warn(
              "the table in {} is closed as it was at index {}; the log will be replayed",
              database.folder(),
              written,
              e);
        }
      }
      database.close();
    }
  }
}
