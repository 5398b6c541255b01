package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;

/** What leaves a member when its term ends while it appends, and what waits. */
final class AppendGuardTest {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final AtomicLong term = new AtomicLong(5);
  private final AppendGuard guard = new AppendGuard(term::get);

  @Test
  void anAppendOfTheTermIsAcknowledged() {
    Call<AppendEntriesRequestProto, AppendEntriesReplyProto> call = appends();
    call.from(guard, request -> call.reply(AppendResult.SUCCESS)).onMessage(append(5));

    assertThat(call.sent).hasSize(1);
    assertThat(call.closed).isEmpty();
  }

  @Test
  void anAppendIsNotAcknowledgedOnceTheMemberHasVotedInALaterTerm() {
    Call<AppendEntriesRequestProto, AppendEntriesReplyProto> call = appends();
    ServerCall.Listener<AppendEntriesRequestProto> server =
        call.from(
            guard,
            request -> {
              term.set(6);
              call.reply(AppendResult.SUCCESS);
              call.reply(AppendResult.SUCCESS);
            });

    server.onMessage(append(5));

    assertThat(call.sent).isEmpty();
    assertThat(call.closed).containsExactly(Status.Code.ABORTED);
    call.end();
    assertThat(call.closed).as("closed once").hasSize(1);
  }

  /** The old leader has to hear of the term. */
  @Test
  void whatIsNoAcknowledgementLeavesInAnyTerm() {
    term.set(6);
    Call<AppendEntriesRequestProto, AppendEntriesReplyProto> call = appends();
    call.from(guard, request -> call.reply(AppendResult.NOT_LEADER)).onMessage(append(5));

    assertThat(call.sent).hasSize(1);
    assertThat(call.closed).isEmpty();
  }

  @Test
  void appendsOfTwoLeadersComeOneAfterTheOther() throws Exception {
    CountDownLatch inTheFirst = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger second = new AtomicInteger();
    Call<AppendEntriesRequestProto, AppendEntriesReplyProto> old = appends();
    ServerCall.Listener<AppendEntriesRequestProto> ofOld =
        old.from(
            guard,
            request -> {
              inTheFirst.countDown();
              await().atMost(LIMIT).until(() -> goOn.getCount() == 0);
              assertThat(second).hasValue(0);
            });
    ServerCall.Listener<AppendEntriesRequestProto> ofNew =
        appends().from(guard, request -> second.incrementAndGet());

    Thread first = new Thread(() -> ofOld.onMessage(append(5)));
    first.start();
    inTheFirst.await();
    Thread next = new Thread(() -> ofNew.onMessage(append(6)));
    next.start();
    await().atMost(LIMIT).until(() -> next.getState() == Thread.State.BLOCKED);
    goOn.countDown();

    await().atMost(LIMIT).until(() -> second.get() == 1);
    first.join();
    next.join();
  }

  /** Else a vote would wait for an append that waits for the end of its own candidacy. */
  @Test
  void votesWaitForNoAppend() {
    Call<RequestVoteRequestProto, RequestVoteReplyProto> vote =
        new Call<>(RaftServerProtocolServiceGrpc.getRequestVoteMethod());
    Call<AppendEntriesRequestProto, AppendEntriesReplyProto> call = appends();
    AtomicInteger votes = new AtomicInteger();
    ServerCall.Listener<AppendEntriesRequestProto> appends =
        call.from(
            guard,
            request -> {
              Thread other =
                  new Thread(
                      () ->
                          vote.from(guard, asked -> votes.incrementAndGet())
                              .onMessage(RequestVoteRequestProto.getDefaultInstance()));
              other.start();
              await().atMost(LIMIT).until(() -> votes.get() == 1);
            });

    appends.onMessage(append(5));

    assertThat(votes).hasValue(1);
  }

  private static Call<AppendEntriesRequestProto, AppendEntriesReplyProto> appends() {
    return new Call<>(RaftServerProtocolServiceGrpc.getAppendEntriesMethod());
  }

  private static AppendEntriesRequestProto append(long leaderTerm) {
    return AppendEntriesRequestProto.newBuilder().setLeaderTerm(leaderTerm).build();
  }

  /** What a server does with a request. */
  private interface Handler<Q> {
    void handle(Q request);
  }

  /** A call that remembers what left the server. */
  private static final class Call<Q, R> extends ServerCall<Q, R> {

    private final MethodDescriptor<Q, R> method;
    private final List<R> sent = new ArrayList<>();
    private final List<Status.Code> closed = new ArrayList<>();
    private ServerCall<Q, R> guarded = this;

    Call(MethodDescriptor<Q, R> method) {
      this.method = method;
    }

    /** Begins it, as the server sees it. */
    Listener<Q> from(AppendGuard guard, Handler<Q> handler) {
      return guard.interceptCall(
          this,
          new Metadata(),
          (call, headers) -> {
            guarded = call;
            return new Listener<>() {
              @Override
              public void onMessage(Q message) {
                handler.handle(message);
              }
            };
          });
    }

    @SuppressWarnings("unchecked")
    void reply(AppendResult result) {
      guarded.sendMessage((R) AppendEntriesReplyProto.newBuilder().setResult(result).build());
    }

    void end() {
      guarded.close(Status.OK, new Metadata());
    }

    @Override
    public void request(int numMessages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(R message) {
      sent.add(message);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      closed.add(status.getCode());
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<Q, R> getMethodDescriptor() {
      return method;
    }
  }
}
