package io.leasehold.store.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.leasehold.store.codec.proto.BatchReplyProto;
import io.leasehold.store.codec.proto.EventProto;
import io.leasehold.store.codec.proto.ReplyProto;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.Reply;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Replies as a node receives them and the table keeps them to be repeated. Immutable. */
public final class ReplyCodec {

  /** Returns the bytes of a reply. */
  public byte[] encode(BatchReply reply) {
    BatchReplyProto.Builder proto =
        BatchReplyProto.newBuilder()
            .setStatus(status(reply.status()))
            .setIndex(reply.index())
            .setNewsLost(reply.newsLost())
            .setHeldDigest(reply.heldDigest());
    for (Event event : reply.news()) {
      proto.addNews(EventFields.toProto(event));
    }
    for (Reply each : reply.replies()) {
      proto.addReplies(ReplyFields.toProto(each));
    }
    return proto.build().toByteArray();
  }

  /**
   * Returns the reply that bytes contain.
   *
   * @throws MalformedReplyException if they do not contain one
   */
  public BatchReply decode(ByteBuffer bytes) {
    try {
      return fromProto(BatchReplyProto.parseFrom(bytes.duplicate()));
    } catch (InvalidProtocolBufferException | MalformedFieldException e) {
      throw new MalformedReplyException("not a reply of this version: " + e.getMessage(), e);
    }
  }

  private static BatchReply fromProto(BatchReplyProto proto) {
    Fields.requireKnown(proto);
    Fields.require(proto.hasStatus(), "status");
    Fields.require(proto.hasIndex(), "index");
    Fields.require(proto.hasNewsLost(), "news lost");
    Fields.require(proto.hasHeldDigest(), "held digest");
    List<Event> news = new ArrayList<>(proto.getNewsCount());
    for (EventProto event : proto.getNewsList()) {
      news.add(EventFields.event(event));
    }
    List<Reply> replies = new ArrayList<>(proto.getRepliesCount());
    for (ReplyProto reply : proto.getRepliesList()) {
      replies.add(ReplyFields.reply(reply));
    }
    return new BatchReply(
        status(proto.getStatus()),
        proto.getIndex(),
        news,
        proto.getNewsLost(),
        replies,
        proto.getHeldDigest());
  }

  private static BatchReplyProto.Status status(BatchReply.Status status) {
    return switch (status) {
      case APPLIED -> BatchReplyProto.Status.APPLIED;
      case SESSION_UNKNOWN -> BatchReplyProto.Status.SESSION_UNKNOWN;
      case STALE -> BatchReplyProto.Status.STALE;
      case REFUSED -> BatchReplyProto.Status.REFUSED;
    };
  }

  private static BatchReply.Status status(BatchReplyProto.Status status) {
    return switch (status) {
      case APPLIED -> BatchReply.Status.APPLIED;
      case SESSION_UNKNOWN -> BatchReply.Status.SESSION_UNKNOWN;
      case STALE -> BatchReply.Status.STALE;
      case REFUSED -> BatchReply.Status.REFUSED;
      case UNKNOWN, UNRECOGNIZED -> throw new MalformedFieldException("status is unknown");
    };
  }
}
