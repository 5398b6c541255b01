package io.leasehold.store.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.store.Member;
import io.leasehold.time.Ticker;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.RaftProtos.RaftClientReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc.AdminProtocolServiceStub;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.thirdparty.io.grpc.ConnectivityState;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/**
 * The way to one other member: one connection, one stream of requests on it, made when first needed
 * and anew after each failure. Safe for many threads. Replies complete on gRPC's own threads,
 * failures on an executor given, neither under a lock.
 *
 * <p>Ratis' own client is not used because it fails every request of a stream as soon as one of
 * them learns that the member does not lead, retries on its own, and keeps requests in order: here
 * each request stands for itself, is sent once, and what became of it is told exactly.
 */
final class MemberLink implements AutoCloseable {

  /**
   * After this long without any answer a request makes the connection suspect: the member's host
   * may be gone without a word, and the connection would take a quarter of an hour to find out.
   */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(2);

  private static final String CLOSED = "the node is closed";

  private final Member member;
  private final MemberChannels channels;
  private final Ticker ticker;
  private final Executor failures;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private @Nullable ManagedChannel channel;

  @GuardedBy("lock")
  private @Nullable Stream stream;

  @GuardedBy("lock")
  private @Nullable Runnable onBroken;

  @GuardedBy("lock")
  private boolean closed;

  /**
   * @param channels makes the connection
   * @param ticker a monotonic clock
   * @param failures where futures fail; must run what it is given also while the link is closed
   */
  MemberLink(Member member, MemberChannels channels, Ticker ticker, Executor failures) {
    this.member = member;
    this.channels = channels;
    this.ticker = ticker;
    this.failures = failures;
  }

  Member member() {
    return member;
  }

  /**
   * Sends a request.
   *
   * @return completes with the member's reply, which may be a refusal; fails with {@link
   *     LinkException}; may stay open for ever
   */
  CompletableFuture<RaftClientReply> send(RaftClientRequest request) {
    CompletableFuture<RaftClientReply> reply = new CompletableFuture<>();
    Stream current;
    try {
      current = stream(request.getCallId(), reply);
    } catch (RuntimeException e) {
      reply.completeExceptionally(
          new LinkException("cannot connect to member " + member.id(), true, e));
      return reply;
    }
    try {
      current.send(ClientProtoUtils.toRaftClientRequestProto(request));
    } catch (RuntimeException e) {
      current.fail(e);
    }
    return reply;
  }

  private Stream stream(long callId, CompletableFuture<RaftClientReply> reply) {
    ManagedChannel suspect = null;
    try {
      synchronized (lock) {
        if (closed) {
          throw new IllegalStateException(CLOSED);
        }
        Stream current = stream;
        if (current != null && current.isSilent()) {
          suspect = channel;
          channel = null;
          current = null;
        }
        if (current == null || !current.add(callId, reply)) {
          current = new Stream(connect());
          stream = current;
          boolean unused = current.add(callId, reply);
        }
        return current;
      }
    } finally {
      if (suspect != null) {
        suspect.shutdownNow();
      }
    }
  }

  @GuardedBy("lock")
  private ManagedChannel connect() {
    ManagedChannel current = channel;
    if (current == null) {
      current = channels.open(member);
      channel = current;
    } else {
      // After a failure gRPC would wait up to two minutes before it tries to connect again, and
      // fail every call meanwhile.
      current.resetConnectBackoff();
    }
    return current;
  }

  /**
   * Connects, and runs a task once as soon as the connection breaks or is dropped. One task at a
   * time: another one replaces it.
   */
  void onBroken(Runnable task) {
    ManagedChannel current;
    synchronized (lock) {
      if (closed) {
        return;
      }
      onBroken = task;
      current = connect();
    }
    awaitBreak(current, task);
  }

  private void awaitBreak(ManagedChannel watched, Runnable task) {
    boolean dropped;
    synchronized (lock) {
      if (onBroken != task) {
        return;
      }
      dropped = channel != watched;
    }
    ConnectivityState state = watched.getState(true);
    if (dropped || state == ConnectivityState.SHUTDOWN) {
      broken(task);
    } else if (state == ConnectivityState.READY) {
      watched.notifyWhenStateChanged(state, () -> broken(task));
    } else {
      watched.notifyWhenStateChanged(state, () -> awaitBreak(watched, task));
    }
  }

  private void broken(Runnable task) {
    synchronized (lock) {
      if (onBroken != task) {
        return;
      }
      onBroken = null;
    }
    task.run();
  }

  /** Whether there is a connection at this moment. */
  boolean isConnected() {
    synchronized (lock) {
      return channel != null && channel.getState(false) == ConnectivityState.READY;
    }
  }

  /**
   * Fails whatever is under way: the member does not lead any more, and whoever waits for it had
   * better ask the one that does.
   */
  void abandon() {
    Stream current;
    synchronized (lock) {
      current = stream;
    }
    if (current != null) {
      current.abandon();
    }
  }

  /** Drops the connection; whatever is under way fails. It is made anew when next needed. */
  void disconnect() {
    ManagedChannel dropped;
    synchronized (lock) {
      dropped = channel;
      channel = null;
      stream = null;
    }
    if (dropped != null) {
      dropped.shutdownNow();
    }
  }

  /**
   * Asks the member who it is.
   *
   * @return fails when it has not answered within a time
   */
  CompletableFuture<Introduction> introduce(Duration limit) {
    return channel()
        .map(current -> Introductions.ask(current, limit))
        .orElseGet(() -> CompletableFuture.failedFuture(new IllegalStateException(CLOSED)));
  }

  private Optional<ManagedChannel> channel() {
    synchronized (lock) {
      return closed ? Optional.empty() : Optional.of(connect());
    }
  }

  /**
   * Asks the member to hand its leadership over.
   *
   * @return completes with whether the new one leads now, which it may do later otherwise
   */
  CompletableFuture<Boolean> askToTransfer(TransferLeadershipRequest request) {
    return administer(
            Duration.ofMillis(request.getTimeoutMs()),
            (admin, answer) ->
                admin.transferLeadership(
                    ClientProtoUtils.toTransferLeadershipRequestProto(request), answer))
        .handle((reply, failure) -> failure == null && reply.isSuccess());
  }

  /** Asks the member, which has to lead, for other members of the group. */
  CompletableFuture<RaftClientReply> askToConfigure(
      SetConfigurationRequest request, Duration limit) {
    return administer(
        limit,
        (admin, answer) ->
            admin.setConfiguration(
                ClientProtoUtils.toSetConfigurationRequestProto(request), answer));
  }

  private CompletableFuture<RaftClientReply> administer(
      Duration limit,
      BiConsumer<AdminProtocolServiceStub, StreamObserver<RaftClientReplyProto>> call) {
    CompletableFuture<RaftClientReply> done = new CompletableFuture<>();
    Optional<ManagedChannel> current = channel();
    if (current.isEmpty()) {
      done.completeExceptionally(new IllegalStateException(CLOSED));
      return done;
    }
    call.accept(
        AdminProtocolServiceGrpc.newStub(current.get())
            // The member itself gives up at the limit, and is to have the time to say so.
            .withDeadlineAfter(limit.plusMillis(500).toMillis(), TimeUnit.MILLISECONDS),
        new StreamObserver<RaftClientReplyProto>() {
          @Override
          public void onNext(RaftClientReplyProto reply) {
            try {
              done.complete(ClientProtoUtils.toRaftClientReply(PlainReply.of(reply)));
            } catch (RuntimeException e) {
              done.completeExceptionally(e);
            }
          }

          @Override
          public void onError(Throwable t) {
            done.completeExceptionally(GrpcUtil.unwrapThrowable(t));
          }

          @Override
          public void onCompleted() {
            done.completeExceptionally(new IllegalStateException("it has not answered"));
          }
        });
    return done;
  }

  /** Disconnects for ever; whatever is under way fails. */
  @Override
  public void close() {
    ManagedChannel toClose;
    Stream toFail;
    synchronized (lock) {
      closed = true;
      onBroken = null;
      toClose = channel;
      toFail = stream;
      channel = null;
      stream = null;
    }
    if (toClose != null) {
      toClose.shutdownNow();
    }
    if (toFail != null) {
      toFail.fail(new IllegalStateException(CLOSED));
    }
    if (toClose != null) {
      awaitTermination(toClose);
    }
  }

  private static void awaitTermination(ManagedChannel channel) {
    try {
      boolean unused = channel.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Requests without an answer, and the stream they went out on. */
  private final class Stream implements StreamObserver<RaftClientReplyProto> {

    private final Object streamLock = new Object();

    @GuardedBy("streamLock")
    private final Map<Long, CompletableFuture<RaftClientReply>> unanswered = new HashMap<>();

    @GuardedBy("streamLock")
    private boolean failed;

    /** When somebody began to wait for an answer that has not come. */
    @GuardedBy("streamLock")
    private long waitingSinceNanos;

    private final Object sendLock = new Object();
    private final ManagedChannel on;

    @GuardedBy("sendLock")
    private @Nullable StreamObserver<RaftClientRequestProto> requests;

    Stream(ManagedChannel on) {
      this.on = on;
    }

    boolean add(long callId, CompletableFuture<RaftClientReply> reply) {
      synchronized (streamLock) {
        if (failed) {
          return false;
        }
        if (unanswered.isEmpty()) {
          waitingSinceNanos = ticker.nanos();
        }
        unanswered.put(callId, reply);
        return true;
      }
    }

    boolean isSilent() {
      synchronized (streamLock) {
        return !unanswered.isEmpty() && ticker.nanos() - waitingSinceNanos > SILENCE_MAX.toNanos();
      }
    }

    void send(RaftClientRequestProto request) {
      synchronized (sendLock) {
        if (requests == null) {
          requests = RaftClientProtocolServiceGrpc.newStub(on).unordered(this);
        }
        requests.onNext(request);
      }
    }

    @Override
    public void onNext(RaftClientReplyProto proto) {
      CompletableFuture<RaftClientReply> reply;
      synchronized (streamLock) {
        reply = unanswered.remove(proto.getRpcReply().getCallId());
        waitingSinceNanos = ticker.nanos();
      }
      if (reply != null) {
        complete(reply, proto);
      }
    }

    private void complete(CompletableFuture<RaftClientReply> reply, RaftClientReplyProto proto) {
      RaftClientReply decoded;
      try {
        decoded = ClientProtoUtils.toRaftClientReply(PlainReply.of(proto));
      } catch (RuntimeException e) {
        reply.completeExceptionally(
            new LinkException("member " + member.id() + " has sent a broken reply", false, e));
        return;
      }
      reply.complete(decoded);
    }

    @Override
    public void onError(Throwable t) {
      fail(t);
    }

    @Override
    public void onCompleted() {
      fail(new IllegalStateException("the member has ended the stream"));
    }

    /** gRPC may call this from within {@link #send}: so those who wait are told elsewhere. */
    void fail(Throwable cause) {
      synchronized (streamLock) {
        failed = true;
      }
      failUnanswered(cause);
    }

    void abandon() {
      failUnanswered(new IllegalStateException("another member leads"));
    }

    private void failUnanswered(Throwable cause) {
      List<CompletableFuture<RaftClientReply>> toFail;
      synchronized (streamLock) {
        toFail = List.copyOf(unanswered.values());
        unanswered.clear();
      }
      if (!toFail.isEmpty()) {
        LinkException failure = failure(cause);
        failures.execute(() -> toFail.forEach(reply -> reply.completeExceptionally(failure)));
      }
    }

    private LinkException failure(Throwable cause) {
      boolean neverSent = wasNeverConnected(cause);
      String message =
          neverSent
              ? "member " + member.id() + " cannot be reached at " + member.address()
              : "the connection to member " + member.id() + " has failed";
      return new LinkException(message, neverSent, cause);
    }
  }

  /**
   * Only a connection that was never made fails with one of these; then nothing can have been sent
   * on it.
   */
  private static boolean wasNeverConnected(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof ConnectException || each instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }

  /** A request got no reply. */
  static final class LinkException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean neverSent;

    LinkException(String message, boolean neverSent, Throwable cause) {
      super(message, cause);
      this.neverSent = neverSent;
    }

    /** Whether the request certainly has not left this node. */
    boolean neverSent() {
      return neverSent;
    }
  }
}
