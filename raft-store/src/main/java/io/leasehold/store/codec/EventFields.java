package io.leasehold.store.codec;

import io.leasehold.store.codec.proto.EventProto;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.Holder;

/** One event and its fields. */
final class EventFields {

  private EventFields() {}

  static EventProto toProto(Event event) {
    EventProto.Builder proto = EventProto.newBuilder().setHolder(Fields.toProto(event.holder()));
    if (event instanceof Event.Granted granted) {
      proto.setGranted(
          EventProto.Granted.newBuilder()
              .setName(granted.name())
              .setToken(granted.token())
              .setTtlNanos(granted.ttlNanos())
              .setAcquisitionId(granted.acquisitionId()));
    } else if (event instanceof Event.Released released) {
      proto.setReleased(
          EventProto.Released.newBuilder().setName(released.name()).setToken(released.token()));
    } else if (event instanceof Event.Expired expired) {
      proto.setExpired(
          EventProto.Expired.newBuilder().setName(expired.name()).setToken(expired.token()));
    } else if (event instanceof Event.TakenOver taken) {
      proto.setTakenOver(
          EventProto.TakenOver.newBuilder()
              .setName(taken.name())
              .setToken(taken.token())
              .setBy(Fields.toProto(taken.by())));
    } else if (event instanceof Event.Revoked revoked) {
      proto.setRevoked(
          EventProto.Revoked.newBuilder()
              .setName(revoked.name())
              .setToken(revoked.token())
              .setReason(revoked.reason())
              .setFreed(revoked.freed()));
    } else if (event instanceof Event.Skipped skipped) {
      proto.setSkipped(
          EventProto.Skipped.newBuilder()
              .setName(skipped.name())
              .setAcquisitionId(skipped.acquisitionId()));
    } else if (event instanceof Event.SessionOpened) {
      proto.setSessionOpened(EventProto.SessionOpened.getDefaultInstance());
    } else if (event instanceof Event.SessionEnded) {
      proto.setSessionEnded(EventProto.SessionEnded.getDefaultInstance());
    } else {
      throw new IllegalStateException("no bytes are defined for " + event);
    }
    return proto.build();
  }

  static Event event(EventProto proto) {
    Fields.requireKnown(proto);
    Holder holder = Fields.holder(proto.hasHolder(), proto.getHolder());
    return switch (proto.getEventCase()) {
      case GRANTED -> granted(proto.getGranted(), holder);
      case RELEASED -> {
        EventProto.Released released = proto.getReleased();
        Fields.requireKnown(released);
        String name = Fields.name(released.hasName(), released.getName());
        Fields.require(released.hasToken(), "token");
        yield new Event.Released(name, holder, released.getToken());
      }
      case EXPIRED -> {
        EventProto.Expired expired = proto.getExpired();
        Fields.requireKnown(expired);
        String name = Fields.name(expired.hasName(), expired.getName());
        Fields.require(expired.hasToken(), "token");
        yield new Event.Expired(name, holder, expired.getToken());
      }
      case TAKEN_OVER -> takenOver(proto.getTakenOver(), holder);
      case REVOKED -> revoked(proto.getRevoked(), holder);
      case SKIPPED -> {
        EventProto.Skipped skipped = proto.getSkipped();
        Fields.requireKnown(skipped);
        String name = Fields.name(skipped.hasName(), skipped.getName());
        Fields.require(skipped.hasAcquisitionId(), "acquisition id");
        yield new Event.Skipped(name, holder, skipped.getAcquisitionId());
      }
      case SESSION_OPENED -> {
        Fields.requireKnown(proto.getSessionOpened());
        yield new Event.SessionOpened(holder);
      }
      case SESSION_ENDED -> {
        Fields.requireKnown(proto.getSessionEnded());
        yield new Event.SessionEnded(holder);
      }
      case EVENT_NOT_SET -> throw new MalformedFieldException("an event is missing");
    };
  }

  private static Event granted(EventProto.Granted proto, Holder holder) {
    Fields.requireKnown(proto);
    String name = Fields.name(proto.hasName(), proto.getName());
    Fields.require(proto.hasToken(), "token");
    Fields.require(proto.hasTtlNanos(), "ttl");
    Fields.require(proto.hasAcquisitionId(), "acquisition id");
    return new Event.Granted(
        name, holder, proto.getToken(), proto.getTtlNanos(), proto.getAcquisitionId());
  }

  private static Event takenOver(EventProto.TakenOver proto, Holder holder) {
    Fields.requireKnown(proto);
    String name = Fields.name(proto.hasName(), proto.getName());
    Fields.require(proto.hasToken(), "token");
    return new Event.TakenOver(
        name, holder, proto.getToken(), Fields.holder(proto.hasBy(), proto.getBy()));
  }

  private static Event revoked(EventProto.Revoked proto, Holder holder) {
    Fields.requireKnown(proto);
    String name = Fields.name(proto.hasName(), proto.getName());
    Fields.require(proto.hasToken(), "token");
    Fields.require(proto.hasReason(), "reason");
    Fields.require(proto.hasFreed(), "freed");
    return new Event.Revoked(name, holder, proto.getToken(), proto.getReason(), proto.getFreed());
  }
}
