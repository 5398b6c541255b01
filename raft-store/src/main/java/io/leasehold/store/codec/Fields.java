package io.leasehold.store.codec;

import com.google.protobuf.MessageOrBuilder;
import io.leasehold.LeaseLimits;
import io.leasehold.store.codec.proto.HolderProto;
import io.leasehold.store.codec.proto.SessionIdProto;
import io.leasehold.store.core.Holder;
import io.leasehold.store.core.SessionId;
import java.nio.charset.StandardCharsets;

/** What the codecs have in common: checks of single fields, and the values that several contain. */
final class Fields {

  private Fields() {}

  /** Refuses a message without a field that this version always writes. */
  static void require(boolean present, String field) {
    if (!present) {
      throw new MalformedFieldException(field + " is missing");
    }
  }

  /** Refuses a message with fields that this version does not know. */
  static void requireKnown(MessageOrBuilder message) {
    if (!message.getUnknownFields().isEmpty()) {
      throw new MalformedFieldException(
          message.getDescriptorForType().getName() + " has fields unknown to this version");
    }
  }

  /** Returns a lease's name, which has a limit even where it is only looked up. */
  static String name(boolean present, String name) {
    require(present, "name");
    requireBytes("name", name, LeaseLimits.NAME_BYTES_MAX);
    return name;
  }

  static void requireBytes(String field, String text, int bytesMax) {
    // A char is at most three bytes of UTF-8, so most need no count.
    if (text.length() > bytesMax
        || (text.length() * 3 > bytesMax
            && text.getBytes(StandardCharsets.UTF_8).length > bytesMax)) {
      throw new MalformedFieldException(
          "%s has more than %d bytes of UTF-8".formatted(field, bytesMax));
    }
  }

  static void requireChars(String field, String text, int charsMax) {
    if (text.length() > charsMax) {
      throw new MalformedFieldException("%s has more than %d chars".formatted(field, charsMax));
    }
  }

  static SessionIdProto toProto(SessionId id) {
    return SessionIdProto.newBuilder().setHigh(id.high()).setLow(id.low()).build();
  }

  static SessionId sessionId(boolean present, SessionIdProto proto) {
    require(present, "session");
    requireKnown(proto);
    require(proto.hasHigh() && proto.hasLow(), "half of the session");
    return new SessionId(proto.getHigh(), proto.getLow());
  }

  static HolderProto toProto(Holder holder) {
    return HolderProto.newBuilder()
        .setSession(toProto(holder.session()))
        .setNode(holder.node())
        .setOwner(holder.owner())
        .build();
  }

  static Holder holder(boolean present, HolderProto proto) {
    require(present, "holder");
    requireKnown(proto);
    require(proto.hasNode(), "node of the holder");
    require(proto.hasOwner(), "owner of the holder");
    return new Holder(
        sessionId(proto.hasSession(), proto.getSession()), proto.getNode(), proto.getOwner());
  }
}
