package io.leasehold.store.ratis;

import io.leasehold.text.Quoted;
import java.io.IOException;
import java.util.Optional;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses what members ask of each other when it is meant for another one. Safe for many threads.
 *
 * <p>Ratis answers whatever reaches its address. So a node with a new folder, at the address of the
 * member that has lost it, would vote and acknowledge for that one, and two leaders could be
 * elected with what they have together forgotten.
 */
final class PeerGuard implements ServerInterceptor {

  private static final Logger LOG = LoggerFactory.getLogger(PeerGuard.class);

  private final RaftPeerId self;

  PeerGuard(RaftPeerId self) {
    this.self = self;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {

      private boolean refused;

      @Override
      public void onMessage(Q message) {
        if (refused) {
          return;
        }
        Optional<RaftRpcRequestProto> meant =
            betweenMembers(message).filter(request -> !isMeant(request));
        if (meant.isEmpty()) {
          super.onMessage(message);
        } else {
          refused = true;
          refuse(call, meant.get());
        }
      }

      @Override
      public void onHalfClose() {
        if (!refused) {
          super.onHalfClose();
        }
      }
    };
  }

  private boolean isMeant(RaftRpcRequestProto request) {
    return request.getReplyId().equals(self.toByteString());
  }

  private void refuse(ServerCall<?, ?> call, RaftRpcRequestProto request) {
    LOG.debug(
        "{} is asked for what is meant for {}",
        self,
        Quoted.text(request.getReplyId().toStringUtf8()));
    StatusRuntimeException failure =
        GrpcUtil.wrapException(
            new IOException("this is " + self + ", another node than was asked"),
            request.getCallId());
    call.close(failure.getStatus(), failure.getTrailers());
  }

  /** What a message between members says of its sender and of whom it is for. */
  static Optional<RaftRpcRequestProto> betweenMembers(Object message) {
    if (message instanceof AppendEntriesRequestProto append) {
      return Optional.of(append.getServerRequest());
    } else if (message instanceof InstallSnapshotRequestProto install) {
      return Optional.of(install.getServerRequest());
    } else if (message instanceof RequestVoteRequestProto vote) {
      return Optional.of(vote.getServerRequest());
    } else if (message instanceof StartLeaderElectionRequestProto stand) {
      return Optional.of(stand.getServerRequest());
    } else if (message instanceof ReadIndexRequestProto read) {
      return Optional.of(read.getServerRequest());
    }
    return Optional.empty();
  }
}
