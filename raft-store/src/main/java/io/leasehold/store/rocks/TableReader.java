package io.leasehold.store.rocks;

import io.leasehold.store.LeaseReading;
import io.leasehold.store.TableDigest;
import io.leasehold.store.codec.RowCodec;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.ExpiryView;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.StoreState;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table as one entry has left it, while further ones are applied. Reads then and there, on the
 * caller's thread; confined to one thread at a time. Keeps the disk space of what has been replaced
 * since: close it soon. Every method may throw {@link TableException}, also because the table has
 * been closed meanwhile.
 */
public final class TableReader implements ExpiryView, AutoCloseable {

  private final Database database;
  private final Database.View view;
  private final Rows rows;
  private final RowCodec.Applied applied;
  private final StoreState state;

  TableReader(Database database) {
    this.database = database;
    this.view = database.viewOfNow();
    this.rows = new Rows(database, view);
    try {
      this.applied = rows.applied().orElse(new RowCodec.Applied(0, 0));
      this.state = rows.state();
    } catch (TableException e) {
      database.close(view);
      throw e;
    }
  }

  /** Returns the term of the last entry that it shows. */
  public long appliedTerm() {
    return applied.term();
  }

  /** Returns the index of the last entry that it shows. */
  public long appliedIndex() {
    return applied.index();
  }

  @Override
  public StoreState state() {
    return state;
  }

  /** Returns every lease that is held, in the order of their names (as bytes of UTF-8). */
  public List<LeaseReading> leases() {
    Map<SessionId, Long> renewals = new HashMap<>();
    for (Session session : rows.sessions()) {
      renewals.put(session.id(), session.renewedNanos());
    }
    List<LeaseReading> readings = new ArrayList<>(state.leases());
    rows.leases(lease -> readings.add(reading(lease, renewals.get(lease.holder().session()))));
    return readings;
  }

  /** Returns one lease; empty when it is free. */
  public Optional<LeaseReading> find(String name) {
    return rows.lease(name)
        .map(
            lease ->
                reading(
                    lease,
                    rows.session(lease.holder().session())
                        .map(Session::renewedNanos)
                        .orElse(null)));
  }

  private LeaseReading reading(HeldLease lease, @Nullable Long renewed) {
    if (renewed == null) {
      throw new TableException(
          "the table in %s is corrupt: lease \"%s\" is of session %s, which is not there"
              .formatted(database.folder(), lease.name(), lease.holder().session()));
    }
    long remainingNanos = lease.expiryNanos(renewed) - state.leaseTimeNanos();
    return new LeaseReading(lease, Math.max(0, remainingNanos));
  }

  /** Returns a digest of all rows. */
  public TableDigest digest() {
    MessageDigest sha256 = sha256();
    rows.all(
        (key, value) -> {
          ByteBuffer lengths = ByteBuffer.allocate(2 * Integer.BYTES);
          sha256.update(lengths.putInt(key.length).putInt(value.length).array());
          sha256.update(key);
          sha256.update(value);
        });
    return new TableDigest(
        appliedIndex(),
        state.leaseTimeNanos(),
        state.lastToken(),
        HexFormat.of().formatHex(sha256.digest()));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  @Override
  public List<Session> sessions() {
    return rows.sessions();
  }

  @Override
  public List<Claim> claimsUpTo(SessionId session, long ttlNanos, int limit) {
    return rows.claimsUpTo(session, ttlNanos, limit);
  }

  @Override
  public List<ExpiryView.Revoked> revoked() {
    return rows.revoked();
  }

  @Override
  public void close() {
    database.close(view);
  }
}
