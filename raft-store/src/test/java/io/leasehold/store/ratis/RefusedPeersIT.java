package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.leasehold.store.Member;
import io.leasehold.store.PeerRefusal;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreNode;
import io.leasehold.store.TestCertificates;
import io.leasehold.store.TlsFiles;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.guard.RefusalLog;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.GroupListRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftClientReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.SetConfigurationRequestProto;
import org.apache.ratis.proto.RaftProtos.SnapshotManagementRequestProto;
import org.apache.ratis.proto.RaftProtos.TransferLeadershipRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContextBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Who may come to a member's port and be refused: each is counted, logged once, and nobody who
 * holds a lease notices.
 */
@SuppressWarnings("NullAway.Init") // each test starts the node first
final class RefusedPeersIT {

  private static final SessionId SESSION = new SessionId(1, 1);

  /** A minute of them is asked for by {@code -Dseconds=60}. */
  private static final int SECONDS = Integer.getInteger("seconds", 3);

  @TempDir static Path certificateFolder;
  private static TestCertificates certificates;
  private static TlsFiles first;
  private static TlsFiles second;

  @TempDir Path root;
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private Member member;
  private StoreNode node;
  private long sequence;

  @BeforeAll
  static void makeCertificates() {
    certificates = new TestCertificates(certificateFolder).authority("ca");
    first = certificates.node("n1", "ca");
    second = certificates.node("n2", "ca");
  }

  @BeforeEach
  void listen() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      member = new Member("n1", "127.0.0.1", socket.getLocalPort());
    }
    logged.start();
    ((Logger) LoggerFactory.getLogger(RefusalLog.class)).addAppender(logged);
  }

  @AfterEach
  void stop() {
    ((Logger) LoggerFactory.getLogger(RefusalLog.class)).detachAppender(logged);
    node.close();
  }

  private void startInTheClear() {
    start(StoreConfig.of("test", "n1", List.of(member), root.resolve("n1")));
  }

  private void startWithTls() {
    start(StoreConfig.of("test", "n1", List.of(member), root.resolve("n1")).withTls(first));
  }

  private void start(StoreConfig config) {
    node = StoreNode.start(config);
    Batch opening =
        Batch.of(
            SESSION, 1, List.of(new Command.OpenSession("n1", Duration.ofMinutes(5).toNanos())));
    await("the only member is ready to lead")
        .atMost(Duration.ofSeconds(10))
        .ignoreExceptions()
        .until(() -> propose(opening) != null);
    sequence = 1_000;
  }

  private BatchReply propose(Batch batch) throws Exception {
    return node.propose(batch, 0).toCompletableFuture().get(2, TimeUnit.SECONDS);
  }

  private void requireThatHoldersAreServed() throws Exception {
    BatchReply reply = propose(Batch.of(SESSION, ++sequence, List.of()));
    assertThat(reply.status()).isEqualTo(BatchReply.Status.APPLIED);
  }

  /** That it was counted, and logged once, and that of another kind nothing was. */
  private void assertRefused(PeerRefusal kind, int atLeast) throws Exception {
    await("all are counted")
        .atMost(Duration.ofSeconds(10))
        .until(() -> node.refused(kind) >= atLeast);
    assertThat(PeerRefusal.values())
        .filteredOn(each -> node.refused(each) > 0)
        .containsExactly(kind);
    assertThat(logged.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .singleElement()
        .asString()
        .startsWith("node n1 refuses 127.0.0.1: " + kind.meaning())
        .doesNotContainPattern("\\p{Cntrl}");
    requireThatHoldersAreServed();
  }

  private ManagedChannel channel(Optional<SslContext> tls) {
    return new MemberChannels("n2", RatisSettings.MESSAGE_BYTES_MAX, tls).open(member);
  }

  private static Optional<SslContext> tls(TlsFiles own) throws IOException {
    return tls(
        SslContextBuilder.forClient().keyManager(own.certificates().toFile(), own.key().toFile()));
  }

  private static Optional<SslContext> tls(SslContextBuilder builder) throws IOException {
    return Optional.of(
        GrpcSslContexts.configure(builder, SslProvider.JDK)
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .endpointIdentificationAlgorithm(null)
            .build());
  }

  private static void close(ManagedChannel channel) throws InterruptedException {
    channel.shutdownNow();
    assertThat(channel.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
  }

  private void knockTwice(Optional<SslContext> tls) throws Exception {
    for (int i = 0; i < 2; i++) {
      ManagedChannel channel = channel(tls);
      try {
        assertThatThrownBy(
                () -> Introductions.ask(channel, Duration.ofSeconds(5)).get(10, TimeUnit.SECONDS))
            .hasCauseInstanceOf(StatusRuntimeException.class);
      } finally {
        close(channel);
      }
    }
  }

  @Test
  void aPeerInTheClear() throws Exception {
    startWithTls();

    knockTwice(Optional.empty());

    assertRefused(PeerRefusal.PLAIN_TEXT, 2);
  }

  @Test
  void aPeerWithoutACertificate() throws Exception {
    startWithTls();

    knockTwice(tls(SslContextBuilder.forClient()));

    assertRefused(PeerRefusal.CERTIFICATE, 2);
  }

  @Test
  void aPeerWithTheCertificateOfAForeignAuthority() throws Exception {
    startWithTls();

    knockTwice(tls(certificates.authority("foreign").node("n2", "foreign")));

    assertRefused(PeerRefusal.CERTIFICATE, 2);
  }

  @Test
  void aPeerWithAnExpiredCertificate() throws Exception {
    startWithTls();

    knockTwice(
        tls(
            certificates.certificate(
                "expired", "ca", "leasehold:test/n2", "-startdate", "-2d", "-validity", "1")));

    assertRefused(PeerRefusal.CERTIFICATE, 2);
    assertThat(logged.list.get(0).getFormattedMessage()).contains("NotAfter");
  }

  @Test
  void aPeerWithTheCertificateOfAnotherCluster() throws Exception {
    startWithTls();

    knockTwice(tls(certificates.certificate("stray", "ca", "leasehold:test2/n2")));

    assertRefused(PeerRefusal.CERTIFICATE, 2);
  }

  private static RequestVoteRequestProto vote(String from, String to, RaftGroupId group) {
    return RequestVoteRequestProto.newBuilder()
        .setServerRequest(
            RaftRpcRequestProto.newBuilder()
                .setRequestorId(ByteString.copyFromUtf8(from))
                .setReplyId(ByteString.copyFromUtf8(to))
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(group.toByteString())))
        .setCandidateTerm(1_000)
        .build();
  }

  @Test
  void aMemberThatSpeaksForAnother() throws Exception {
    startWithTls();
    long term = node.status().term();
    ManagedChannel channel = channel(tls(second));
    try {
      Introduction asked =
          Introductions.ask(channel, Duration.ofSeconds(5)).get(10, TimeUnit.SECONDS);
      PeerIdentity own = PeerIdentity.of(asked.peer());
      String third =
          new PeerIdentity("n3", own.cluster(), own.beginning(), own.incarnation())
              .peer()
              .toString();
      var votes = RaftServerProtocolServiceGrpc.newBlockingStub(channel);

      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(
                () ->
                    votes.requestVote(
                        vote(
                            third,
                            asked.peer().toString(),
                            asked.group().orElseThrow().getGroupId())))
            .hasMessageContaining("it says that it is \"n3\"");
      }
    } finally {
      close(channel);
    }

    assertRefused(PeerRefusal.IDENTITY, 2);
    assertThat(node.status().term()).isEqualTo(term);
  }

  @Test
  void aNodeOfTheClusterThatIsNoMember() throws Exception {
    startWithTls();
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    ManagedChannel channel = channel(tls(second));
    try {
      RaftClientProtocolServiceGrpc.newStub(channel)
          .unordered(new Ending(ended))
          .onNext(RaftClientRequestProto.getDefaultInstance());

      assertThat(ended.get(10, TimeUnit.SECONDS)).hasMessageContaining("is for members: [n2]");
    } finally {
      close(channel);
    }

    assertRefused(PeerRefusal.NOT_OFFERED, 1);
  }

  @Test
  void aPeerOfAnotherCluster() throws Exception {
    startInTheClear();
    ManagedChannel channel = channel(Optional.empty());
    try {
      Introduction asked =
          Introductions.ask(channel, Duration.ofSeconds(5)).get(10, TimeUnit.SECONDS);
      String self = asked.peer().toString();
      RaftGroupId group = asked.group().orElseThrow().getGroupId();
      var votes = RaftServerProtocolServiceGrpc.newBlockingStub(channel);

      assertThatThrownBy(() -> votes.requestVote(vote("n2@00000000000000000001", self, group)))
          .hasMessageContaining("asks " + self);
      assertThatThrownBy(
              () ->
                  votes.requestVote(
                      vote(self.replace("n1@", "n\n2@"), self, RaftGroupId.randomId())))
          .hasMessageContaining("\"n\\u000a2@");
    } finally {
      close(channel);
    }

    assertRefused(PeerRefusal.OTHER_CLUSTER, 2);
  }

  @Test
  void whoAsksForWhatOnlyMembersMay() throws Exception {
    startInTheClear();
    ManagedChannel channel = channel(Optional.empty()); // as n2, which is no member
    try {
      var admin = AdminProtocolServiceGrpc.newBlockingStub(channel);
      assertThatThrownBy(() -> admin.groupList(GroupListRequestProto.getDefaultInstance()))
          .hasMessageContaining("PERMISSION_DENIED");
      assertThatThrownBy(
              () -> admin.snapshotManagement(SnapshotManagementRequestProto.getDefaultInstance()))
          .hasMessageContaining("PERMISSION_DENIED");
      assertThatThrownBy(
              () -> admin.transferLeadership(TransferLeadershipRequestProto.getDefaultInstance()))
          .hasMessageContaining("is for members: \"n2\"");
      assertThatThrownBy(
              () -> admin.setConfiguration(SetConfigurationRequestProto.getDefaultInstance()))
          .hasMessageContaining("is for members: \"n2\"");
    } finally {
      close(channel);
    }

    assertRefused(PeerRefusal.NOT_OFFERED, 4);
  }

  @Test
  void aMessageOfAHundredMegabytes() throws Exception {
    startInTheClear();
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    ManagedChannel channel = channel(Optional.empty());
    try {
      StreamObserver<RaftClientRequestProto> requests =
          RaftClientProtocolServiceGrpc.newStub(channel).unordered(new Ending(ended));
      RaftClientRequestProto.Builder large = RaftClientRequestProto.newBuilder();
      large
          .getMessageBuilder()
          .setContent(UnsafeByteOperations.unsafeWrap(new byte[100 * 1024 * 1024]));

      requests.onNext(large.build());

      assertThat(ended.get(10, TimeUnit.SECONDS)).hasMessageContaining("RESOURCE_EXHAUSTED");
    } finally {
      close(channel);
    }

    assertRefused(PeerRefusal.TOO_LARGE, 1);
  }

  private record Ending(CompletableFuture<Throwable> ended)
      implements StreamObserver<RaftClientReplyProto> {

    @Override
    public void onNext(RaftClientReplyProto reply) {}

    @Override
    public void onError(Throwable failure) {
      ended.complete(failure);
    }

    @Override
    public void onCompleted() {}
  }

  @Test
  void randomBytesInTheClear() throws Exception {
    startInTheClear();

    sendRandomBytes();

    assertRefused(PeerRefusal.UNREADABLE, 10);
  }

  @Test
  void randomBytesToTls() throws Exception {
    startWithTls();

    sendRandomBytes();

    assertRefused(PeerRefusal.UNREADABLE, 10);
  }

  private void sendRandomBytes() throws Exception {
    Random random = new Random(4_711);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end) {
      byte[] bytes = new byte[1 + random.nextInt(20_000)];
      random.nextBytes(bytes);
      bytes[0] = 'x'; // or it may be the beginning of something
      try (Socket socket = new Socket(member.host(), member.port())) {
        socket.setSoTimeout(2_000);
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
        socket.shutdownOutput();
        while (socket.getInputStream().read() >= 0) {
          // until the node closes the connection
        }
      } catch (IOException e) {
        // It may do so while bytes are under way.
      }
      requireThatHoldersAreServed();
    }
  }
}
