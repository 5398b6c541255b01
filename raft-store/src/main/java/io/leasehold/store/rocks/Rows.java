package io.leasehold.store.rocks;

import io.leasehold.store.codec.MalformedReplyException;
import io.leasehold.store.codec.MalformedRowException;
import io.leasehold.store.codec.ReplyCodec;
import io.leasehold.store.codec.RowCodec;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.ExpiryView;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.StoreState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** The rows of a table as one view shows them. As safe for threads as its view. */
final class Rows {

  private static final RowCodec ROWS = new RowCodec();
  private static final ReplyCodec REPLIES = new ReplyCodec();

  private final Database database;
  private final Database.View view;

  Rows(Database database, Database.View view) {
    this.database = database;
    this.view = view;
  }

  Optional<Integer> format() {
    return row(KeyLayout.FORMAT, Rows::format);
  }

  private static int format(byte[] value) {
    if (value.length != Integer.BYTES) {
      throw new IllegalArgumentException("it has " + value.length + " bytes");
    }
    return ByteBuffer.wrap(value).getInt();
  }

  Optional<RowCodec.Applied> applied() {
    return row(KeyLayout.APPLIED, ROWS::applied);
  }

  StoreState state() {
    return row(KeyLayout.STATE, ROWS::state).orElse(StoreState.INITIAL);
  }

  Optional<HeldLease> lease(String name) {
    return row(KeyLayout.lease(name), value -> ROWS.lease(name, value));
  }

  Optional<Session> session(SessionId id) {
    return row(KeyLayout.session(id), value -> ROWS.session(id, value));
  }

  Optional<List<Event>> news(SessionId id) {
    return row(KeyLayout.news(id), ROWS::news);
  }

  Optional<BatchReply> lastReply(SessionId id) {
    return row(KeyLayout.lastReply(id), value -> REPLIES.decode(ByteBuffer.wrap(value)));
  }

  List<Claim> claims(SessionId id) {
    return claimsUpTo(id, Long.MAX_VALUE, Integer.MAX_VALUE);
  }

  List<Claim> claimsUpTo(SessionId id, long ttlNanos, int limit) {
    List<Claim> claims = new ArrayList<>();
    if (limit > 0) {
      database.scan(
          view,
          KeyLayout.claims(id),
          (key, value) -> {
            Claim claim = KeyLayout.claim(key);
            boolean within = claim.ttlNanos() <= ttlNanos;
            if (within) {
              claims.add(claim);
            }
            return within && claims.size() < limit;
          });
    }
    return claims;
  }

  /** Shows every lease in the order of their names' bytes, until the visitor has enough. */
  void leases(Predicate<HeldLease> visitor) {
    database.scan(
        view,
        KeyLayout.LEASES,
        (key, value) ->
            visitor.test(decoded(key, value, v -> ROWS.lease(KeyLayout.leaseName(key), v))));
  }

  List<Session> sessions() {
    List<Session> sessions = new ArrayList<>();
    database.scan(
        view,
        KeyLayout.SESSIONS,
        (key, value) ->
            sessions.add(decoded(key, value, v -> ROWS.session(KeyLayout.sessionId(key), v))));
    return sessions;
  }

  List<ExpiryView.Revoked> revoked() {
    List<ExpiryView.Revoked> revoked = new ArrayList<>();
    database.scan(
        view,
        KeyLayout.REVOKED,
        (key, value) ->
            revoked.add(
                new ExpiryView.Revoked(KeyLayout.claim(key), decoded(key, value, ROWS::revoked))));
    return revoked;
  }

  /** Shows every row as it is on disk, in the order of their keys. */
  void all(BiConsumer<byte[], byte[]> visitor) {
    for (byte[] first : KeyLayout.ALL) {
      database.scan(
          view,
          first,
          (key, value) -> {
            visitor.accept(key, value);
            return true;
          });
    }
  }

  private <T> Optional<T> row(byte[] key, Function<byte[], T> decoding) {
    byte[] value = database.get(view, key);
    return value == null ? Optional.empty() : Optional.of(decoded(key, value, decoding));
  }

  private <T> T decoded(byte[] key, byte[] value, Function<byte[], T> decoding) {
    try {
      return decoding.apply(value);
    } catch (MalformedRowException | MalformedReplyException | IllegalArgumentException e) {
      throw new TableException(
          "the table in %s is corrupt: %s: %s"
              .formatted(database.folder(), KeyLayout.describe(key), e.getMessage()),
          e);
    }
  }
}
