package io.leasehold.store.rocks;

import io.leasehold.store.codec.ReplyCodec;
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
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table in RocksDB. It always shows exactly the entries up to its applied index: the index is
 * written together with the changes of its entry, so whatever is lost in a crash is lost from the
 * end, entry by entry, and comes back when the log is applied again from there.
 *
 * <p>Reads and writes belong to the thread that applies. {@link #appliedIndex}, {@link
 * #appliedTerm}, {@link #reader} and {@link #close} are safe for many threads. Every method may
 * throw {@link TableException}.
 */
public final class RocksLeaseTable implements LeaseView, AutoCloseable {

  /** The format of the table that this version writes, and the newest that it reads. */
  public static final int FORMAT = 1;

  private static final Logger LOG = LoggerFactory.getLogger(RocksLeaseTable.class);
  private static final RowCodec ROWS = new RowCodec();
  private static final ReplyCodec REPLIES = new ReplyCodec();

  private final Database database;
  private final Rows rows;
  private final RecentLeases recent = new RecentLeases();
  private volatile RowCodec.Applied applied;
  private StoreState state;

  private RocksLeaseTable(Database database, Rows rows) {
    this.database = database;
    this.rows = rows;
    this.applied = rows.applied().orElse(new RowCodec.Applied(0, 0));
    this.state = rows.state();
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
    if (format.isEmpty()) {
      if (rows.applied().isPresent()) {
        throw new TableException("the table in " + database.folder() + " does not say its format");
      }
      byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt(FORMAT).array();
      database.write(batch -> batch.put(KeyLayout.FORMAT, value));
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
    return recent.lease(name, rows::lease);
  }

  @Override
  public Optional<Session> session(SessionId id) {
    return rows.session(id);
  }

  @Override
  public List<Event> news(SessionId id) {
    return rows.news(id);
  }

  @Override
  public Optional<BatchReply> lastReply(SessionId id) {
    return rows.lastReply(id);
  }

  @Override
  public List<Claim> claims(SessionId id) {
    return rows.claims(id);
  }

  /**
   * Writes what an entry amounts to, all of it or nothing.
   *
   * @param changes in the order in which they are to be made
   * @param term of the entry
   * @param index of the entry; greater than that of every entry written before
   */
  public void write(List<Change> changes, long term, long index) {
    RowCodec.Applied before = applied;
    if (index <= before.index()) {
      throw new IllegalStateException(
          "entry %d comes after entry %d".formatted(index, before.index()));
    }
    RowCodec.Applied after = new RowCodec.Applied(term, index);
    database.write(
        batch -> {
          for (Change change : changes) {
            put(batch, change);
          }
          batch.put(KeyLayout.APPLIED, ROWS.encode(after));
        });
    recent.written(changes);
    for (Change change : changes) {
      if (change instanceof Change.PutState put) {
        state = put.state();
      }
    }
    applied = after;
  }

  private static void put(WriteBatch batch, Change change) throws RocksDBException {
    if (change instanceof Change.PutState put) {
      batch.put(KeyLayout.STATE, ROWS.encode(put.state()));
    } else if (change instanceof Change.PutLease put) {
      batch.put(KeyLayout.lease(put.lease().name()), ROWS.encode(put.lease()));
    } else if (change instanceof Change.RemoveLease remove) {
      batch.delete(KeyLayout.lease(remove.name()));
    } else if (change instanceof Change.PutClaim put) {
      batch.put(KeyLayout.claim(put.claim()), new byte[0]);
    } else if (change instanceof Change.RemoveClaim remove) {
      batch.delete(KeyLayout.claim(remove.claim()));
    } else if (change instanceof Change.PutRevoked put) {
      batch.put(KeyLayout.revoked(put.claim()), ROWS.encodeRevoked(put.expiryNanos()));
    } else if (change instanceof Change.RemoveRevoked remove) {
      batch.delete(KeyLayout.revoked(remove.claim()));
    } else if (change instanceof Change.PutNews put) {
      if (put.news().isEmpty()) {
        batch.delete(KeyLayout.news(put.id()));
      } else {
        batch.put(KeyLayout.news(put.id()), ROWS.encodeNews(put.news()));
      }
    } else if (change instanceof Change.PutSession put) {
      batch.put(KeyLayout.session(put.session().id()), ROWS.encode(put.session()));
    } else if (change instanceof Change.RemoveSession remove) {
      batch.delete(KeyLayout.session(remove.id()));
      batch.delete(KeyLayout.news(remove.id()));
      batch.delete(KeyLayout.lastReply(remove.id()));
    } else if (change instanceof Change.PutLastReply put) {
      batch.put(KeyLayout.lastReply(put.id()), REPLIES.encode(put.reply()));
    } else {
      throw new IllegalStateException("no row is defined for " + change);
    }
  }

  /** Returns when everything up to the applied index is on disk. */
  public void flush() {
    database.flush();
  }

  /**
   * Makes a copy of the table with everything up to the applied index, by hard links to its files.
   *
   * @param folder where; it must not be there yet, its parent must be, and on the same file system
   */
  public void checkpoint(Path folder) {
    database.checkpoint(folder);
  }

  /** Returns a view of the table at this moment, for one other thread; it has to be closed. */
  public TableReader reader() {
    return new TableReader(database);
  }

  /** Flushes and closes. Waits for reads under way; readers that are open fail from then on. */
  @Override
  public void close() {
    database.close();
  }
}
