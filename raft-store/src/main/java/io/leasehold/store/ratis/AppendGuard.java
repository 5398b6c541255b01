package io.leasehold.store.ratis;

import java.util.EnumSet;
import java.util.function.LongSupplier;
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
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one step of what Ratis does in two when a leader has entries appended (the Raft paper,
 * figure 2, AppendEntries): it looks at the leader's term under its lock, and appends and answers
 * when it has given that up. Safe for many threads.
 *
 * <p>In between this member may vote in a later term. What it appended then and acknowledged the
 * old leader would take for committed, and the new one, which was elected without it, would replace
 * it. So such an acknowledgement is not sent: one that leaves before the vote is of an entry that
 * the vote has regard to. And the new leader may have appended in between, which the old one's
 * entries would cut off: so appends come one after the other, each whole.
 */
final class AppendGuard implements GrpcServices.Customizer, ServerInterceptor {

  private static final Logger LOG = LoggerFactory.getLogger(AppendGuard.class);

  private final LongSupplier term;
  private final Object oneAtATime = new Object();

  /**
   * @param term in which this member is
   */
  AppendGuard(LongSupplier term) {
    this.term = term;
  }

  @Override
  public NettyServerBuilder customize(
      NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
    return builder.intercept(this);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (!call.getMethodDescriptor()
        .getFullMethodName()
        .equals(RaftServerProtocolServiceGrpc.getAppendEntriesMethod().getFullMethodName())) {
      return next.startCall(call, headers);
    }
    Appends<Q, R> appends = new Appends<>(call);
    return appends.of(next.startCall(appends, headers));
  }

  /** A leader's stream of appends, all of one term. */
  private final class Appends<Q, R> extends SimpleForwardingServerCall<Q, R> {

    private volatile long leaderTerm;
    private volatile boolean over;

    Appends(ServerCall<Q, R> call) {
      super(call);
    }

    ServerCall.Listener<Q> of(ServerCall.Listener<Q> server) {
      return new SimpleForwardingServerCallListener<>(server) {
        @Override
        public void onMessage(Q message) {
          synchronized (oneAtATime) {
            if (message instanceof AppendEntriesRequestProto request) {
              leaderTerm = request.getLeaderTerm();
            }
            super.onMessage(message);
          }
        }
      };
    }

    @Override
    public void sendMessage(R message) {
      if (over) {
        return;
      }
      if (message instanceof AppendEntriesReplyProto reply
          && reply.getResult() == AppendResult.SUCCESS
          && term.getAsLong() > leaderTerm) {
        LOG.info("an append of term {} comes too late, in term {}", leaderTerm, term.getAsLong());
        over = true;
        super.close(Status.ABORTED.withDescription("the term is over"), new Metadata());
        return;
      }
      super.sendMessage(message);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      if (!over) {
        super.close(status, trailers);
      }
    }
  }
}
