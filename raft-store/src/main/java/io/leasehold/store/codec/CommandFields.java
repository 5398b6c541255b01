package io.leasehold.store.codec;

import static java.util.Objects.requireNonNull;

import io.leasehold.LeaseLimits;
import io.leasehold.store.codec.proto.AcquireProto;
import io.leasehold.store.codec.proto.CloseSessionProto;
import io.leasehold.store.codec.proto.CommandProto;
import io.leasehold.store.codec.proto.ConfirmProto;
import io.leasehold.store.codec.proto.ExpireProto;
import io.leasehold.store.codec.proto.ExpireSessionProto;
import io.leasehold.store.codec.proto.LeaveProto;
import io.leasehold.store.codec.proto.OpenSessionProto;
import io.leasehold.store.codec.proto.ReconcileProto;
import io.leasehold.store.codec.proto.ReleaseProto;
import io.leasehold.store.codec.proto.RevokeProto;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Limits;

/** One command and its fields. */
final class CommandFields {

  private CommandFields() {}

  /**
   * The format of log entries in which a kind of command first appeared. A new kind gets the next
   * one, which {@link EntryCodec#FORMAT} then is: a leader only appends it once all members read
   * that.
   */
  static int format(Command command) {
    requireNonNull(command, "command");
    return 1; // so far there are those of the first version only
  }

  static CommandProto toProto(Command command) {
    CommandProto.Builder proto = CommandProto.newBuilder();
    if (command instanceof Command.Acquire acquire) {
      proto.setAcquire(toProto(acquire));
    } else if (command instanceof Command.Release release) {
      proto.setRelease(ReleaseProto.newBuilder().setName(release.name()).setToken(release.token()));
    } else if (command instanceof Command.Confirm confirm) {
      proto.setConfirm(ConfirmProto.newBuilder().setName(confirm.name()).setToken(confirm.token()));
    } else if (command instanceof Command.Leave leave) {
      proto.setLeave(
          LeaveProto.newBuilder().setName(leave.name()).setAcquisitionId(leave.acquisitionId()));
    } else if (command instanceof Command.Expire expire) {
      proto.setExpire(
          ExpireProto.newBuilder()
              .setName(expire.name())
              .setSession(Fields.toProto(expire.session()))
              .setAcquisitionId(expire.acquisitionId()));
    } else if (command instanceof Command.ExpireSession expire) {
      proto.setExpireSession(
          ExpireSessionProto.newBuilder().setSession(Fields.toProto(expire.session())));
    } else if (command instanceof Command.Revoke revoke) {
      proto.setRevoke(
          RevokeProto.newBuilder()
              .setName(revoke.name())
              .setToken(revoke.token())
              .setReason(revoke.reason())
              .setUnsafe(revoke.unsafe()));
    } else if (command instanceof Command.Reconcile) {
      proto.setReconcile(ReconcileProto.getDefaultInstance());
    } else if (command instanceof Command.OpenSession open) {
      proto.setOpenSession(
          OpenSessionProto.newBuilder().setNode(open.node()).setTtlNanos(open.ttlNanos()));
    } else if (command instanceof Command.CloseSession) {
      proto.setCloseSession(CloseSessionProto.getDefaultInstance());
    } else {
      throw new IllegalStateException("no bytes are defined for " + command);
    }
    return proto.build();
  }

  private static AcquireProto toProto(Command.Acquire acquire) {
    return AcquireProto.newBuilder()
        .setName(acquire.name())
        .setOwner(acquire.owner())
        .setTtlNanos(acquire.ttlNanos())
        .setAcquisitionId(acquire.acquisitionId())
        .setQueued(acquire.queued())
        .setReclaim(acquire.reclaim())
        .build();
  }

  static Command command(CommandProto proto) {
    Fields.requireKnown(proto);
    return switch (proto.getCommandCase()) {
      case OPEN_SESSION -> openSession(proto.getOpenSession());
      case CLOSE_SESSION -> {
        Fields.requireKnown(proto.getCloseSession());
        yield new Command.CloseSession();
      }
      case ACQUIRE -> acquire(proto.getAcquire());
      case CONFIRM -> confirm(proto.getConfirm());
      case RELEASE -> release(proto.getRelease());
      case LEAVE -> leave(proto.getLeave());
      case RECONCILE -> {
        Fields.requireKnown(proto.getReconcile());
        yield new Command.Reconcile();
      }
      case REVOKE -> revoke(proto.getRevoke());
      case EXPIRE -> expire(proto.getExpire());
      case EXPIRE_SESSION -> expireSession(proto.getExpireSession());
      case COMMAND_NOT_SET -> throw new MalformedFieldException("a command is missing");
    };
  }

  private static Command openSession(OpenSessionProto proto) {
    Fields.requireKnown(proto);
    Fields.require(proto.hasNode(), "node");
    Fields.requireChars("node", proto.getNode(), Limits.NODE_CHARS_MAX);
    Fields.require(proto.hasTtlNanos(), "ttl");
    return new Command.OpenSession(proto.getNode(), proto.getTtlNanos());
  }

  private static Command acquire(AcquireProto proto) {
    Fields.requireKnown(proto);
    String name = Fields.name(proto.hasName(), proto.getName());
    Fields.require(proto.hasOwner(), "owner");
    Fields.requireBytes("owner", proto.getOwner(), LeaseLimits.OWNER_BYTES_MAX);
    Fields.require(proto.hasTtlNanos(), "ttl");
    Fields.require(proto.hasAcquisitionId(), "acquisition id");
    Fields.require(proto.hasQueued(), "queued");
    Fields.require(proto.hasReclaim(), "reclaim");
    return new Command.Acquire(
        name,
        proto.getOwner(),
        proto.getTtlNanos(),
        proto.getAcquisitionId(),
        proto.getQueued(),
        proto.getReclaim());
  }

  private static Command confirm(ConfirmProto proto) {
    Fields.requireKnown(proto);
    String name = Fields.name(proto.hasName(), proto.getName());
    Fields.require(proto.hasToken(), "token");
    return new Command.Confirm(name, proto.getToken());
  }

  private static Command release(ReleaseProto proto) {
    Fields.requireKnown(proto);
    String name = Fields.name(proto.hasName(), proto.getName());
    Fields.require(proto.hasToken(), "token");
    return new Command.Release(name, proto.getToken());
  }

  private static Command leave(LeaveProto proto) {
    Fields.requireKnown(proto);
    String name = Fields.name(proto.hasName(), proto.getName());
    Fields.require(proto.hasAcquisitionId(), "acquisition id");
    return new Command.Leave(name, proto.getAcquisitionId());
  }

  private static Command revoke(RevokeProto proto) {
    Fields.requireKnown(proto);
    String name = Fields.name(proto.hasName(), proto.getName());
    Fields.require(proto.hasToken(), "token");
    Fields.require(proto.hasReason(), "reason");
    Fields.requireChars("reason", proto.getReason(), Limits.REASON_CHARS_MAX);
    Fields.require(proto.hasUnsafe(), "unsafe");
    return new Command.Revoke(name, proto.getToken(), proto.getReason(), proto.getUnsafe());
  }

  private static Command expire(ExpireProto proto) {
    Fields.requireKnown(proto);
    String name = Fields.name(proto.hasName(), proto.getName());
    Fields.require(proto.hasAcquisitionId(), "acquisition id");
    return new Command.Expire(
        name, Fields.sessionId(proto.hasSession(), proto.getSession()), proto.getAcquisitionId());
  }

  private static Command expireSession(ExpireSessionProto proto) {
    Fields.requireKnown(proto);
    return new Command.ExpireSession(Fields.sessionId(proto.hasSession(), proto.getSession()));
  }
}
