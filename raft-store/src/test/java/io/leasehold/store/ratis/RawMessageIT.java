package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreNode;
import io.leasehold.store.codec.BatchCodec;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.SessionId;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody else may send to a node's port, and what comes of it: nothing. */
final class RawMessageIT {

  private static final SessionId SESSION = new SessionId(1, 1);

  @TempDir Path root;
  private StoreConfig config;
  private StoreNode node;
  private MemberLink link;

  @BeforeEach
  void start() throws Exception {
    Member member;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      member = new Member("n1", "127.0.0.1", socket.getLocalPort());
    }
    config = StoreConfig.of("raw", "n1", List.of(member), root.resolve("n1"));
    node = StoreNode.start(config);
    link =
        new MemberLink(
            member,
            new MemberChannels("n1", RatisSettings.MESSAGE_BYTES_MAX, Optional.empty()),
            System::nanoTime,
            Runnable::run);
    Batch opening =
        Batch.of(
            SESSION, 1, List.of(new Command.OpenSession("n1", Duration.ofMinutes(5).toNanos())));
    await("the only member is ready to lead")
        .atMost(Duration.ofSeconds(10))
        .ignoreExceptions()
        .until(
            () -> node.propose(opening, 0).toCompletableFuture().get(1, TimeUnit.SECONDS) != null);
  }

  @AfterEach
  void stop() {
    link.close();
    node.close();
  }

  @Test
  void bytesThatAreNoBatchAreRefusedAndHaveNoEffect() throws Exception {
    long before = node.status().appliedIndex();

    RaftClientReply reply = send(ByteString.copyFromUtf8("not a batch"));

    assertThat(reply.isSuccess()).isFalse();
    assertThat(reply.getException()).hasMessageContaining("not a batch of this version");
    assertThat(node.status().appliedIndex()).isEqualTo(before);
    assertThat(node.status().failure()).isEmpty();
  }

  @Test
  void onlyTheLeaderItselfMayExpire() throws Exception {
    long before = node.status().appliedIndex();
    Batch batch = Batch.ofStore(List.of(new Command.ExpireSession(SESSION)));

    RaftClientReply reply = send(bytes(batch));

    assertThat(reply.isSuccess()).isFalse();
    assertThat(reply.getException()).hasMessageContaining("only the leader itself");
    assertThat(node.status().appliedIndex()).isEqualTo(before);
  }

  @Test
  void aBatchThatIsTooLargeIsRefusedAndTheNextOneIsNot() throws Exception {
    RaftClientReply tooLarge = send(ByteString.copyFrom(new byte[BatchCodec.BYTES_MAX + 1]));
    RaftClientReply next = send(bytes(Batch.of(SESSION, 1_000, List.of())));

    assertThat(tooLarge.isSuccess()).isFalse();
    assertThat(next.isSuccess()).isTrue();
  }

  private static ByteString bytes(Batch batch) {
    return ByteString.copyFrom(new BatchCodec(Limits.DEFAULT).encode(batch));
  }

  private RaftClientReply send(ByteString bytes) throws Exception {
    Introduction node = link.introduce(Duration.ofSeconds(1)).get(10, TimeUnit.SECONDS);
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(ClientId.randomId())
            .setServerId(node.peer())
            .setGroupId(node.group().orElseThrow().getGroupId())
            .setCallId(1)
            .setMessage(Message.valueOf(bytes))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    return link.send(request).get(10, TimeUnit.SECONDS);
  }
}
