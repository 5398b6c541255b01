package io.leasehold.store.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.leasehold.store.codec.proto.AppliedRowProto;
import io.leasehold.store.codec.proto.EventProto;
import io.leasehold.store.codec.proto.LeaseRowProto;
import io.leasehold.store.codec.proto.NewsRowProto;
import io.leasehold.store.codec.proto.RevokedRowProto;
import io.leasehold.store.codec.proto.SessionRowProto;
import io.leasehold.store.codec.proto.StateRowProto;
import io.leasehold.store.codec.proto.WaiterProto;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.StoreState;
import io.leasehold.store.core.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The values of the table's rows; what is in a row's key is not in its value. Immutable. Every
 * method that decodes throws {@link MalformedRowException} for what is not a value of this version.
 */
public final class RowCodec {

  public byte[] encode(StoreState state) {
    return StateRowProto.newBuilder()
        .setLeaseTimeNanos(state.leaseTimeNanos())
        .setLastToken(state.lastToken())
        .setSessionsOpened(state.sessionsOpened())
        .setSessions(state.sessions())
        .setLeases(state.leases())
        .build()
        .toByteArray();
  }

  public StoreState state(byte[] value) {
    return decoded(
        () -> {
          StateRowProto row = StateRowProto.parseFrom(value);
          Fields.requireKnown(row);
          Fields.require(row.hasLeaseTimeNanos(), "lease time");
          Fields.require(row.hasLastToken(), "last token");
          Fields.require(row.hasSessionsOpened(), "sessions opened");
          Fields.require(row.hasSessions(), "sessions");
          Fields.require(row.hasLeases(), "leases");
          return new StoreState(
              row.getLeaseTimeNanos(),
              row.getLastToken(),
              row.getSessionsOpened(),
              row.getSessions(),
              row.getLeases());
        });
  }

  /** The entry that a table shows. */
  public record Applied(long term, long index) {}

  public byte[] encode(Applied applied) {
    return AppliedRowProto.newBuilder()
        .setTerm(applied.term())
        .setIndex(applied.index())
        .build()
        .toByteArray();
  }

  public Applied applied(byte[] value) {
    return decoded(
        () -> {
          AppliedRowProto row = AppliedRowProto.parseFrom(value);
          Fields.requireKnown(row);
          Fields.require(row.hasTerm(), "term");
          Fields.require(row.hasIndex(), "index");
          return new Applied(row.getTerm(), row.getIndex());
        });
  }

  public byte[] encode(HeldLease lease) {
    LeaseRowProto.Builder row =
        LeaseRowProto.newBuilder()
            .setHolder(Fields.toProto(lease.holder()))
            .setToken(lease.token())
            .setTtlNanos(lease.ttlNanos())
            .setAcquisitionId(lease.acquisitionId());
    lease.revokedExpiryNanos().ifPresent(row::setRevokedExpiryNanos);
    for (Waiter waiter : lease.queue()) {
      row.addQueue(
          WaiterProto.newBuilder()
              .setHolder(Fields.toProto(waiter.holder()))
              .setTtlNanos(waiter.ttlNanos())
              .setAcquisitionId(waiter.acquisitionId()));
    }
    return row.build().toByteArray();
  }

  public HeldLease lease(String name, byte[] value) {
    return decoded(
        () -> {
          LeaseRowProto row = LeaseRowProto.parseFrom(value);
          Fields.requireKnown(row);
          Fields.require(row.hasToken(), "token");
          Fields.require(row.hasTtlNanos(), "ttl");
          Fields.require(row.hasAcquisitionId(), "acquisition id");
          List<Waiter> queue = new ArrayList<>(row.getQueueCount());
          for (WaiterProto waiter : row.getQueueList()) {
            queue.add(waiter(waiter));
          }
          return new HeldLease(
              name,
              Fields.holder(row.hasHolder(), row.getHolder()),
              row.getToken(),
              row.getTtlNanos(),
              row.getAcquisitionId(),
              row.hasRevokedExpiryNanos()
                  ? OptionalLong.of(row.getRevokedExpiryNanos())
                  : OptionalLong.empty(),
              queue);
        });
  }

  private static Waiter waiter(WaiterProto proto) {
    Fields.requireKnown(proto);
    Fields.require(proto.hasTtlNanos(), "ttl");
    Fields.require(proto.hasAcquisitionId(), "acquisition id");
    return new Waiter(
        Fields.holder(proto.hasHolder(), proto.getHolder()),
        proto.getTtlNanos(),
        proto.getAcquisitionId());
  }

  public byte[] encode(Session session) {
    return SessionRowProto.newBuilder()
        .setNode(session.node())
        .setTtlNanos(session.ttlNanos())
        .setOrdinal(session.ordinal())
        .setRenewedNanos(session.renewedNanos())
        .setSequence(session.sequence())
        .setHeldDigest(session.heldDigest())
        .setNewsLost(session.newsLost())
        .build()
        .toByteArray();
  }

  public Session session(SessionId id, byte[] value) {
    return decoded(
        () -> {
          SessionRowProto row = SessionRowProto.parseFrom(value);
          Fields.requireKnown(row);
          Fields.require(row.hasNode(), "node");
          Fields.require(row.hasTtlNanos(), "ttl");
          Fields.require(row.hasOrdinal(), "ordinal");
          Fields.require(row.hasRenewedNanos(), "last renewal");
          Fields.require(row.hasSequence(), "sequence");
          Fields.require(row.hasHeldDigest(), "held digest");
          Fields.require(row.hasNewsLost(), "news lost");
          return new Session(
              id,
              row.getNode(),
              row.getTtlNanos(),
              row.getOrdinal(),
              row.getRenewedNanos(),
              row.getSequence(),
              row.getHeldDigest(),
              row.getNewsLost());
        });
  }

  public byte[] encodeNews(List<Event> news) {
    NewsRowProto.Builder row = NewsRowProto.newBuilder();
    for (Event event : news) {
      row.addNews(EventFields.toProto(event));
    }
    return row.build().toByteArray();
  }

  public List<Event> news(byte[] value) {
    return decoded(
        () -> {
          NewsRowProto row = NewsRowProto.parseFrom(value);
          Fields.requireKnown(row);
          List<Event> news = new ArrayList<>(row.getNewsCount());
          for (EventProto event : row.getNewsList()) {
            news.add(EventFields.event(event));
          }
          return List.copyOf(news);
        });
  }

  public byte[] encodeRevoked(long expiryNanos) {
    return RevokedRowProto.newBuilder().setExpiryNanos(expiryNanos).build().toByteArray();
  }

  /** Returns the expiry of a revoked lease, in lease time. */
  public long revoked(byte[] value) {
    return decoded(
        () -> {
          RevokedRowProto row = RevokedRowProto.parseFrom(value);
          Fields.requireKnown(row);
          Fields.require(row.hasExpiryNanos(), "expiry");
          return row.getExpiryNanos();
        });
  }

  private static <T> T decoded(Decoding<T> decoding) {
    try {
      return decoding.run();
    } catch (InvalidProtocolBufferException | MalformedFieldException e) {
      throw new MalformedRowException("not a row of this version: " + e.getMessage(), e);
    }
  }

  private interface Decoding<T> {
    T run() throws InvalidProtocolBufferException;
  }
}
