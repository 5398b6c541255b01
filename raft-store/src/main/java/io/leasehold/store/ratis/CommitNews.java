package io.leasehold.store.ratis;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.util.LifeCycle;

/**
 * Tells followers at once how far the log is committed. Safe for many threads.
 *
 * <p>Ratis tells them with the next entries or the next heartbeat. In an idle cluster that is half
 * an election timeout later, and for so long a waiter there would not hear that its turn has come,
 * nor a holder that its hold has ended. Here the leader sends a heartbeat when it is asked to.
 */
final class CommitNews {

  private static final String KEY = CommitNews.class.getName();

  private final Set<Appender> appenders = ConcurrentHashMap.newKeySet();

  /** Has a server with these made so that it can be asked. */
  void addTo(RaftProperties properties, Parameters parameters) {
    RaftConfigKeys.Rpc.setType(properties, new Rpc());
    parameters.put(KEY, this, CommitNews.class);
  }

  /** Tells all followers; without effect where this server does not lead. */
  void tell() {
    appenders.forEach(Appender::tell);
  }

  /** Ratis over gRPC, as it comes, but for appenders that are remembered while they run. */
  static final class Rpc implements RpcType {

    @Override
    public String name() {
      return Rpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
      CommitNews news = parameters.getNonNull(KEY, CommitNews.class);
      return new GrpcFactory(parameters) {
        @Override
        public LogAppender newLogAppender(
            RaftServer.Division server, LeaderState state, FollowerInfo follower) {
          Appender appender = news.new Appender(server, state, follower);
          news.appenders.add(appender);
          return appender;
        }
      };
    }
  }

  private final class Appender extends GrpcLogAppender {

    private volatile boolean toBeTold;

    Appender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
      super(server, state, follower);
    }

    void tell() {
      toBeTold = true;
      notifyLogAppender();
    }

    /** While entries are on their way to a follower, a heartbeat cannot say what is committed. */
    @Override
    public boolean shouldSendAppendEntries() {
      if (toBeTold && !hasPendingDataRequests()) {
        toBeTold = false;
        triggerHeartbeat();
      }
      return super.shouldSendAppendEntries();
    }

    @Override
    public CompletableFuture<LifeCycle.State> stopAsync() {
      appenders.remove(this);
      return super.stopAsync();
    }
  }
}
