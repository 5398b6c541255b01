package io.leasehold.store.codec;

import com.google.protobuf.MessageOrBuilder;
import io.leasehold.store.codec.proto.ReplyProto;
import io.leasehold.store.core.Reply;
import java.util.ArrayList;
import java.util.List;

/** The reply to one command and its fields. */
final class ReplyFields {

  private ReplyFields() {}

  static ReplyProto toProto(Reply reply) {
    ReplyProto.Builder proto = ReplyProto.newBuilder();
    if (reply instanceof Reply.Granted granted) {
      proto.setGranted(ReplyProto.Granted.newBuilder().setToken(granted.token()));
    } else if (reply instanceof Reply.Released released) {
      proto.setReleased(ReplyProto.Released.newBuilder().setToken(released.token()));
    } else if (reply instanceof Reply.Confirmed) {
      proto.setConfirmed(ReplyProto.Confirmed.getDefaultInstance());
    } else if (reply instanceof Reply.HeldByOther other) {
      proto.setHeldByOther(
          ReplyProto.HeldByOther.newBuilder()
              .setHolder(Fields.toProto(other.holder()))
              .setToken(other.token()));
    } else if (reply instanceof Reply.Queued) {
      proto.setQueued(ReplyProto.Queued.getDefaultInstance());
    } else if (reply instanceof Reply.Left) {
      proto.setLeft(ReplyProto.Left.getDefaultInstance());
    } else if (reply instanceof Reply.NotHeld) {
      proto.setNotHeld(ReplyProto.NotHeld.getDefaultInstance());
    } else if (reply instanceof Reply.Revoked) {
      proto.setRevoked(ReplyProto.Revoked.getDefaultInstance());
    } else if (reply instanceof Reply.Decided) {
      proto.setDecided(ReplyProto.Decided.getDefaultInstance());
    } else if (reply instanceof Reply.Refused refused) {
      proto.setRefused(ReplyProto.Refused.newBuilder().setReason(refused.reason()));
    } else if (reply instanceof Reply.SessionOpened) {
      proto.setSessionOpened(ReplyProto.SessionOpened.getDefaultInstance());
    } else if (reply instanceof Reply.SessionClosed) {
      proto.setSessionClosed(ReplyProto.SessionClosed.getDefaultInstance());
    } else if (reply instanceof Reply.Held held) {
      ReplyProto.Held.Builder holds = ReplyProto.Held.newBuilder().addAllWaiting(held.waiting());
      for (Reply.Hold hold : held.holds()) {
        holds.addHolds(
            ReplyProto.Hold.newBuilder()
                .setName(hold.name())
                .setOwner(hold.owner())
                .setToken(hold.token())
                .setAcquisitionId(hold.acquisitionId()));
      }
      proto.setHeld(holds);
    } else {
      throw new IllegalStateException("no bytes are defined for " + reply);
    }
    return proto.build();
  }

  static Reply reply(ReplyProto proto) {
    Fields.requireKnown(proto);
    return switch (proto.getReplyCase()) {
      case SESSION_OPENED -> plain(proto.getSessionOpened(), new Reply.SessionOpened());
      case SESSION_CLOSED -> plain(proto.getSessionClosed(), new Reply.SessionClosed());
      case GRANTED -> {
        ReplyProto.Granted granted = proto.getGranted();
        Fields.requireKnown(granted);
        Fields.require(granted.hasToken(), "token");
        yield new Reply.Granted(granted.getToken());
      }
      case QUEUED -> plain(proto.getQueued(), new Reply.Queued());
      case HELD_BY_OTHER -> {
        ReplyProto.HeldByOther other = proto.getHeldByOther();
        Fields.requireKnown(other);
        Fields.require(other.hasToken(), "token");
        yield new Reply.HeldByOther(
            Fields.holder(other.hasHolder(), other.getHolder()), other.getToken());
      }
      case CONFIRMED -> plain(proto.getConfirmed(), new Reply.Confirmed());
      case RELEASED -> {
        ReplyProto.Released released = proto.getReleased();
        Fields.requireKnown(released);
        Fields.require(released.hasToken(), "token");
        yield new Reply.Released(released.getToken());
      }
      case LEFT -> plain(proto.getLeft(), new Reply.Left());
      case NOT_HELD -> plain(proto.getNotHeld(), new Reply.NotHeld());
      case REVOKED -> plain(proto.getRevoked(), new Reply.Revoked());
      case HELD -> held(proto.getHeld());
      case DECIDED -> plain(proto.getDecided(), new Reply.Decided());
      case REFUSED -> {
        ReplyProto.Refused refused = proto.getRefused();
        Fields.requireKnown(refused);
        Fields.require(refused.hasReason(), "reason");
        yield new Reply.Refused(refused.getReason());
      }
      case REPLY_NOT_SET -> throw new MalformedFieldException("a reply is missing");
    };
  }

  private static Reply plain(MessageOrBuilder proto, Reply reply) {
    Fields.requireKnown(proto);
    return reply;
  }

  private static Reply held(ReplyProto.Held proto) {
    Fields.requireKnown(proto);
    List<Reply.Hold> holds = new ArrayList<>(proto.getHoldsCount());
    for (ReplyProto.Hold hold : proto.getHoldsList()) {
      Fields.requireKnown(hold);
      String name = Fields.name(hold.hasName(), hold.getName());
      Fields.require(hold.hasOwner(), "owner");
      Fields.require(hold.hasToken(), "token");
      Fields.require(hold.hasAcquisitionId(), "acquisition id");
      holds.add(new Reply.Hold(name, hold.getOwner(), hold.getToken(), hold.getAcquisitionId()));
    }
    return new Reply.Held(holds, proto.getWaitingList());
  }
}
