package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;

/** When a leader's entries are appended, and when that is acknowledged. */
final class AppendGuardTest {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Member member = new Member();
  private final AppendGuard guard = new AppendGuard(member);
  private final Call<AppendEntriesRequestProto, AppendEntriesReplyProto> call = appends();

  @Test
  void aFollowerAppendsUnderTheLockOfItsRole() {
    member.settledFor = 5;

    call.from(
            guard,
            request -> {
              assertThat(Thread.holdsLock(member.lock)).isTrue();
              call.reply(success(9));
            })
        .onMessage(append(5));

    assertThat(call.sent).hasSize(1);
    assertThat(call.closed).isEmpty();
    assertThat(member.asked).as("it followed already").isEmpty();
  }

  /** It waits there for the end of its candidacy, and must not under the lock. */
  @Test
  void whoDoesNotFollowYetFollowsFirstWithoutTheEntries() {
    call.from(guard, request -> call.reply(success(9))).onMessage(append(5));

    assertThat(member.asked)
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.getEntriesCount()).isZero();
              assertThat(request.getLeaderTerm()).isEqualTo(5);
              assertThat(request.getLeaderCommit()).as("commits nothing").isEqualTo(-1);
            });
    assertThat(call.sent).hasSize(1);
  }

  /** As when it leads in a later term by then, and has committed entries of its own. */
  @Test
  void nothingIsAppendedByWhoDoesNotFollowAfterAll() {
    member.follows = false;

    call.from(guard, request -> fail("appended")).onMessage(append(5));

    assertThat(call.closed).containsExactly(Status.Code.INTERNAL);
    call.end();
    assertThat(call.closed).as("closed once").hasSize(1);
  }

  /** A vote that has been asked for waits, and has regard to the entries. */
  @Test
  void theRoleDoesNotChangeWhileItAppends() throws Exception {
    member.settledFor = 5;
    CountDownLatch appending = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger voted = new AtomicInteger();
    ServerCall.Listener<AppendEntriesRequestProto> server =
        call.from(
            guard,
            request -> {
              appending.countDown();
              await().atMost(LIMIT).until(() -> goOn.getCount() == 0);
              call.reply(success(voted.get() == 0 ? 9 : 99));
            });
    Thread append = new Thread(() -> server.onMessage(append(5)));
    append.start();
    appending.await();
    Thread vote =
        new Thread(
            () -> {
              synchronized (member.lock) {
                voted.incrementAndGet();
              }
            });
    vote.start();
    await().atMost(LIMIT).until(() -> vote.getState() == Thread.State.BLOCKED);
    goOn.countDown();
    append.join();
    vote.join();

    assertThat(call.sent).hasSize(1);
  }

  @Test
  void heartbeatsAndVotesWaitForNothing() throws Exception {
    AtomicInteger heard = new AtomicInteger();
    Call<RequestVoteRequestProto, RequestVoteReplyProto> vote =
        new Call<>(RaftServerProtocolServiceGrpc.getRequestVoteMethod());
    Thread other =
        new Thread(
            () -> {
              call.from(guard, request -> heard.incrementAndGet())
                  .onMessage(append(5).toBuilder().clearEntries().build());
              vote.from(guard, request -> heard.incrementAndGet())
                  .onMessage(RequestVoteRequestProto.getDefaultInstance());
            });

    synchronized (member.lock) {
      other.start();
      await().atMost(LIMIT).until(() -> heard.get() == 2);
    }
    other.join();

    assertThat(member.asked).isEmpty();
  }

  /** Without an entry before it Ratis would commit one more than it has, whoever wrote that. */
  @Test
  void aRequestCommitsNoMoreThanTheLastEntryThatItSpeaksOf() {
    member.settledFor = 5;
    List<Long> commits = new ArrayList<>();
    ServerCall.Listener<AppendEntriesRequestProto> server =
        call.from(guard, request -> commits.add(request.getLeaderCommit()));
    AppendEntriesRequestProto heartbeat =
        append(5).toBuilder().clearEntries().setLeaderCommit(7).build();
    TermIndexProto entry7 = TermIndexProto.newBuilder().setIndex(7).build();

    server.onMessage(heartbeat);
    server.onMessage(heartbeat.toBuilder().setPreviousLog(entry7).build());
    server.onMessage(heartbeat.toBuilder().setPreviousLog(entry7).setLeaderCommit(8).build());
    server.onMessage(append(5).toBuilder().setLeaderCommit(10).build());
    server.onMessage(append(5).toBuilder().setLeaderCommit(8).build());

    assertThat(commits).containsExactly(-1L, 7L, 7L, 9L, 8L);
  }

  /**
   * Until then what Ratis says is on disk may be what is going to be cut off: this member must not
   * acknowledge anything by it, nor lead and count itself.
   */
  @Test
  void whileTheLogIsBeingCutNothingElseHappens() throws Exception {
    AtomicInteger appended = new AtomicInteger();
    Thread one = cutting(appended);
    assertThat(member.asked).singleElement().isEqualTo(append(5));
    Thread two = appending(appended);
    Thread standing =
        new Thread(
            () -> {
              synchronized (member.lock) {
                appended.addAndGet(100);
              }
            });
    standing.start();
    await()
        .atMost(LIMIT)
        .until(
            () ->
                two.getState() == Thread.State.BLOCKED
                    && standing.getState() == Thread.State.BLOCKED);
    assertThat(appended).hasValue(0);

    member.cut = false;
    member.answer.complete(null);
    one.join();
    two.join();
    standing.join();
    assertThat(appended).hasValue(102);
    assertThat(member.asked).as("cut once").hasSize(1);
  }

  @Test
  void aServerThatIsClosedWaitsForNoCut() throws Exception {
    AtomicInteger appended = new AtomicInteger();
    Thread append = cutting(appended);

    member.alive = false;
    append.join();

    assertThat(appended).hasValue(0);
  }

  /** Begins an append that cuts the log first, and waits until it waits for that. */
  private Thread cutting(AtomicInteger appended) {
    member.settledFor = 5;
    member.cut = true;
    Thread append = appending(appended);
    await().atMost(LIMIT).until(() -> append.getState() == Thread.State.TIMED_WAITING);
    return append;
  }

  /** Begins an append by a call of its own. */
  private Thread appending(AtomicInteger appended) {
    ServerCall.Listener<AppendEntriesRequestProto> server =
        appends().from(guard, request -> appended.incrementAndGet());
    Thread append = new Thread(() -> server.onMessage(append(5)));
    append.start();
    return append;
  }

  /** Ratis answers at once when an entry comes again. */
  @Test
  void whatIsNotOnDiskIsNotAcknowledged() {
    member.settledFor = 5;
    member.flushed = 8;
    call.from(
            guard,
            request -> {
              call.reply(success(8));
              call.reply(success(9));
              call.reply(success(8));
            })
        .onMessage(append(5));

    assertThat(call.sent).hasSize(1);
    assertThat(call.closed).containsExactly(Status.Code.INTERNAL);
  }

  @Test
  void whatIsNoAcknowledgementOfEntriesLeaves() {
    member.settledFor = 5;
    member.flushed = 8;
    call.from(
            guard,
            request -> {
              call.reply(success(9).toBuilder().setResult(AppendResult.INCONSISTENCY).build());
              call.reply(success(9).toBuilder().setIsHearbeat(true).build());
            })
        .onMessage(append(5));

    assertThat(call.sent).hasSize(2);
    assertThat(call.closed).isEmpty();
  }

  /** A server whose term and role are made up. */
  private static final class Member implements AppendGuard.Server {

    private final Object lock = new Object();
    private final List<AppendEntriesRequestProto> asked = new ArrayList<>();
    private long settledFor;
    private long flushed = 9;
    private final CompletableFuture<?> answer = new CompletableFuture<>();
    private boolean follows = true;
    private volatile boolean cut;
    private volatile boolean alive = true;
    private volatile boolean bound = true;

    @Override
    public boolean isBound() {
      return bound;
    }

    @Override
    public Object lock() {
      return lock;
    }

    @Override
    public boolean isAlive() {
      return alive;
    }

    @Override
    public boolean isSettledFor(long leaderTerm) {
      return settledFor == leaderTerm;
    }

    @Override
    public boolean isCutBy(AppendEntriesRequestProto request) {
      return cut;
    }

    @Override
    public CompletableFuture<?> append(AppendEntriesRequestProto request) {
      asked.add(request);
      if (request.getEntriesCount() > 0) {
        return answer;
      }
      assertThat(Thread.holdsLock(lock)).isFalse();
      if (follows) {
        settledFor = request.getLeaderTerm();
      }
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public long flushedIndex() {
      return flushed;
    }
  }

  private static Call<AppendEntriesRequestProto, AppendEntriesReplyProto> appends() {
    return new Call<>(RaftServerProtocolServiceGrpc.getAppendEntriesMethod());
  }

  private static AppendEntriesRequestProto append(long leaderTerm) {
    return AppendEntriesRequestProto.newBuilder()
        .setLeaderTerm(leaderTerm)
        .addEntries(LogEntryProto.newBuilder().setIndex(9))
        .build();
  }

  private static AppendEntriesReplyProto success(long matchIndex) {
    return AppendEntriesReplyProto.newBuilder()
        .setResult(AppendResult.SUCCESS)
        .setMatchIndex(matchIndex)
        .build();
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
    void reply(AppendEntriesReplyProto reply) {
      guarded.sendMessage((R) reply);
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
