package io.leasehold.store.ratis;

import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.server.raftlog.RaftLog;
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
 * to the disk. Such an acknowledgement is not sent; the leader asks again. What is on disk Ratis
 * cannot tell while the end of the log waits to be cut off. So that is done by a request that is
 * not answered, and under the lock: until it is on disk this member neither appends nor votes nor
 * stands, however long the disk takes, as if it had been stopped.
 *
 * <p>A request commits no more than the last entry that it speaks of. Without an entry before it
 * Ratis takes one more for committed, whoever wrote it.
 */
final class AppendGuard implements GrpcServices.Customizer, ServerInterceptor {

  private static final Logger LOG = LoggerFactory.getLogger(AppendGuard.class);
  private static final String APPEND =
      RaftServerProtocolServiceGrpc.getAppendEntriesMethod().getFullMethodName();

  private static final long LOOK_MILLIS = 100;

  private final Server server;

  AppendGuard(Server server) {
    this.server = server;
  }

  /** What it needs of this member's server. */
  interface Server {

    /** Whether it is in a group; until then it appends nothing. */
    boolean isBound();

    /** Under which terms and roles change. */
    Object lock();

    /** Whether it has neither failed nor been closed. */
    boolean isAlive();

    /** Whether appends of this term neither change the role nor the term, or are refused. */
    boolean isSettledFor(long leaderTerm);

    /** Whether the log has an entry of another term in the place of one of these. */
    boolean isCutBy(AppendEntriesRequestProto request);

    /** Does what is asked; completes when it is on disk, or has failed. */
    CompletableFuture<?> append(AppendEntriesRequestProto request);

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

  private static AppendEntriesRequestProto committing(
      long upTo, AppendEntriesRequestProto request) {
    return request.getLeaderCommit() <= upTo
        ? request
        : request.toBuilder().setLeaderCommit(upTo).build();
  }

  /** The last entry that a request speaks of. */
  private static long lastEntry(AppendEntriesRequestProto request) {
    int count = request.getEntriesCount();
    if (count > 0) {
      return request.getEntries(count - 1).getIndex();
    }
    return request.hasPreviousLog()
        ? request.getPreviousLog().getIndex()
        : RaftLog.INVALID_LOG_INDEX;
  }

  /** Returns whether it is done, well or not, which Ratis will say; false if it never will be. */
  private boolean await(CompletableFuture<?> done) {
    while (server.isAlive()) {
      try {
        done.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return true;
      } catch (ExecutionException e) {
        return true;
      } catch (TimeoutException e) {
        // Its disk may stand still, or it is being closed.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return false;
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
          if (!(message instanceof AppendEntriesRequestProto received)) {
            super.onMessage(message);
            return;
          }
          AppendEntriesRequestProto request = committing(lastEntry(received), received);
          if (request.getEntriesCount() == 0 || !server.isBound()) {
            super.onMessage(cast(request));
          } else if (!append(request, () -> super.onMessage(cast(request)))) {
            breakOff("this member does not follow", request.getServerRequest().getCallId());
          }
        }
      };
    }

    @SuppressWarnings("unchecked") // The method's requests are all of this kind.
    private Q cast(AppendEntriesRequestProto request) {
      return (Q) request;
    }

    private boolean append(AppendEntriesRequestProto request, Runnable append) {
      long leaderTerm = request.getLeaderTerm();
      if (!server.isSettledFor(leaderTerm)) {
        AppendEntriesRequestProto follow = request.toBuilder().clearEntries().build();
        if (!await(server.append(committing(RaftLog.INVALID_LOG_INDEX, follow)))) {
          return false;
        }
      }
      synchronized (server.lock()) {
        if (!server.isSettledFor(leaderTerm)
            || (server.isCutBy(request) && !await(server.append(request)))) {
          return false;
        }
        append.run();
        return true;
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
