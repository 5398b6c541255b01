package io.leasehold.store.ratis;

import io.leasehold.text.Quoted;
import org.apache.ratis.proto.RaftProtos.RaftClientReplyProto;
import org.apache.ratis.proto.RaftProtos.ThrowableProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ProtoUtils;

/**
 * Takes out of a reply what Ratis would read by Java's serialization, which makes objects of
 * whatever class a peer names: where an exception was thrown, and what caused it. What it says is
 * made fit for a log.
 */
final class PlainReply {

  private static final ByteString NOWHERE =
      ProtoUtils.writeObject2ByteString(new StackTraceElement[0]);

  private PlainReply() {}

  static RaftClientReplyProto of(RaftClientReplyProto reply) {
    RaftClientReplyProto.Builder plain = reply.toBuilder();
    switch (reply.getExceptionDetailsCase()) {
      case STATEMACHINEEXCEPTION -> {
        var exception = plain.getStateMachineExceptionBuilder();
        exception.setStacktrace(NOWHERE).setErrorMsg(Quoted.line(exception.getErrorMsg()));
      }
      case ALREADYCLOSEDEXCEPTION -> {
        var exception = plain.getAlreadyClosedExceptionBuilder();
        exception.setStacktrace(NOWHERE).setErrorMsg(Quoted.line(exception.getErrorMsg()));
      }
      case DATASTREAMEXCEPTION -> strip(plain.getDataStreamExceptionBuilder());
      case LEADERSTEPPINGDOWNEXCEPTION -> strip(plain.getLeaderSteppingDownExceptionBuilder());
      case TRANSFERLEADERSHIPEXCEPTION -> strip(plain.getTransferLeadershipExceptionBuilder());
      case READEXCEPTION -> strip(plain.getReadExceptionBuilder());
      case READINDEXEXCEPTION -> strip(plain.getReadIndexExceptionBuilder());
      case NOTLEADEREXCEPTION,
          NOTREPLICATEDEXCEPTION,
          LEADERNOTREADYEXCEPTION,
          EXCEPTIONDETAILS_NOT_SET -> {
        return reply; // nothing of the kind
      }
    }
    return plain.build();
  }

  private static void strip(ThrowableProto.Builder exception) {
    exception
        .clearStackTrace()
        .clearCause()
        .setErrorMessage(Quoted.line(exception.getErrorMessage()));
  }
}
