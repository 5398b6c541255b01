package io.leasehold.store.ratis;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one step of what Ratis does in several when a leader has entries appended (the Raft paper,
 * figure 2, AppendEntries). Safe for many threads.
 *
 * <p>Ratis looks at the leader's term under its lock, gives that up, waits for the end of its own
 * candidacy, if there was one, and then appends. In between this member may vote in a later term,
 * and the old leader would take for committed what the new one was elected without; or it may lead
 * itself, and what it has committed would be cut off. So a member is first made a follower of the
 * leader by the same request without its entries, which may wait, and then appends under the lock
 * of everything that changes terms and roles, where nothing is left to wait for.
 *
 * <p>An entry that comes again is acknowledged by Ratis at once, also where it is still on its way
 * to the disk. Such an acknowledgement is not sent; the leader asks again.
 */
final class AppendGuard implements GrpcServices.Customizer, ServerInterceptor {

  private static final Logger LOG = LoggerFactory.getLogger(AppendGuard.class);
  private static final String APPEND =
      RaftServerProtocolServiceGrpc.getAppendEntriesMethod().getFullMethodName();

  private final Server server;

  AppendGuard(Server server) {
    this.server = server;
  }

  /** What it needs of this member's server. */
  interface Server {

    /** Under which terms and roles change. */
    Object lock();

    /** Whether appends of this term neither change the role nor the term, or are refused. */
    boolean isSettledFor(long leaderTerm);

    /** Makes this member follow the leader, if its term allows that; may wait. */
    void follow(AppendEntriesRequestProto requestWithoutEntries);

    /** The last entry of the log that is on disk. */
    long flushedIndex();
  }

  @Override
  public NettyServerBuilder customize(
      NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
    return builder.intercept(this);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (!call.getMethodDescriptor().getFullMethodName().equals(APPEND)) {
      return next.startCall(call, headers);
    }
    Appends<Q, R> appends = new Appends<>(call);
    return appends.of(next.startCall(appends, headers));
  }

  /** A leader's stream of appends. */
  private final class Appends<Q, R> extends SimpleForwardingServerCall<Q, R> {

    private volatile boolean over;

    Appends(ServerCall<Q, R> call) {
      super(call);
    }

    ServerCall.Listener<Q> of(ServerCall.Listener<Q> ratis) {
      return new SimpleForwardingServerCallListener<>(ratis) {
        @Override
        public void onMessage(Q message) {
          if (message instanceof AppendEntriesRequestProto request
              && request.getEntriesCount() > 0) {
            if (!append(request, () -> super.onMessage(message))) {
              breakOff("this member does not follow", request.getServerRequest().getCallId());
            }
          } else {
            super.onMessage(message);
          }
        }
      };
    }

    private boolean append(AppendEntriesRequestProto request, Runnable append) {
      long leaderTerm = request.getLeaderTerm();
      if (!server.isSettledFor(leaderTerm)) {
        server.follow(request.toBuilder().clearEntries().build());
      }
      synchronized (server.lock()) {
        boolean settled = server.isSettledFor(leaderTerm);
        if (settled) {
          append.run();
        }
        return settled;
      }
    }

    @Override
    public void sendMessage(R message) {
      if (over) {
        return;
      }
      if (message instanceof AppendEntriesReplyProto reply
          && reply.getResult() == AppendResult.SUCCESS
          && !reply.getIsHearbeat()
          && reply.getMatchIndex() > server.flushedIndex()) {
        breakOff(
            "entry " + reply.getMatchIndex() + " is not on disk yet",
            reply.getServerReply().getCallId());
      } else {
        super.sendMessage(message);
      }
    }

    /** Has the leader connect and ask again, from this call on. */
    private void breakOff(String why, long callId) {
      LOG.info("appends are broken off: {}", why);
      over = true;
      StatusRuntimeException failure = GrpcUtil.wrapException(new IOException(why), callId);
      super.close(failure.getStatus(), failure.getTrailers());
    }

    @Override
    public void close(Status status, Metadata trailers) {
      if (!over) {
        super.close(status, trailers);
      }
    }
  }
}
