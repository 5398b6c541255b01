package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.proto.RaftProtos.RaftClientReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.AlreadyClosedException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.protocol.exceptions.ReadException;
import org.apache.ratis.protocol.exceptions.ReadIndexException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.protocol.exceptions.TransferLeadershipException;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of the exceptions in a peer's reply. */
final class PlainReplyTest {

  private static final RaftGroupMemberId MEMBER =
      RaftGroupMemberId.valueOf(RaftPeerId.valueOf("n2"), RaftGroupId.randomId());

  static Stream<RaftException> exceptions() {
    return Stream.of(
        new StateMachineException(MEMBER, new IllegalStateException("why")),
        new AlreadyClosedException("why", new IllegalStateException("cause")),
        new LeaderSteppingDownException("why"),
        new TransferLeadershipException("why"),
        new ReadException(new IllegalStateException("why")),
        new ReadIndexException("why", new IllegalStateException("cause")));
  }

  @ParameterizedTest
  @MethodSource("exceptions")
  void anExceptionKeepsItsClassAndItsMessageOnly(RaftException sent) {
    RaftClientReplyProto proto = ClientProtoUtils.toRaftClientReplyProto(failure(sent));

    RaftException received =
        ClientProtoUtils.toRaftClientReply(PlainReply.of(proto)).getException();

    assertThat(received).hasSameClassAs(sent).hasMessageContaining("why");
    assertThat(received.getStackTrace()).isNotEqualTo(sent.getStackTrace());
  }

  @Test
  void nothingIsDeserialized() {
    ByteString bomb = ProtoUtils.writeObject2ByteString(new Bomb());
    RaftClientReplyProto.Builder proto =
        ClientProtoUtils.toRaftClientReplyProto(failure(new ReadException("why"))).toBuilder();
    proto.getReadExceptionBuilder().setCause(bomb).setStackTrace(bomb);

    Bomb.read = false;
    RaftClientReply received = ClientProtoUtils.toRaftClientReply(PlainReply.of(proto.build()));

    assertThat(received.getException()).hasMessage("why").hasNoCause();
    assertThat(Bomb.read).isFalse();
  }

  @Test
  void whatItSaysIsMadeFitForALog() {
    RaftClientReplyProto proto =
        ClientProtoUtils.toRaftClientReplyProto(failure(new ReadException("a\nWARN b\u001b[2J")));

    assertThat(ClientProtoUtils.toRaftClientReply(PlainReply.of(proto)).getException())
        .hasMessage("a\\u000aWARN b\\u001b[2J");
  }

  @Test
  void aReplyWithoutAnExceptionStaysAsItIs() {
    RaftClientReplyProto proto =
        RaftClientReplyProto.newBuilder()
            .setRpcReply(RaftRpcReplyProto.newBuilder().setCallId(7))
            .build();

    assertThat(PlainReply.of(proto)).isSameAs(proto);
  }

  private static RaftClientReply failure(RaftException exception) {
    return RaftClientReply.newBuilder()
        .setClientId(ClientId.randomId())
        .setServerId(MEMBER)
        .setSuccess(false)
        .setException(exception)
        .build();
  }

  /** Says when it is read. */
  private static final class Bomb implements java.io.Serializable {

    private static final long serialVersionUID = 1L;
    private static boolean read;

    private void readObject(java.io.ObjectInputStream in) {
      read = true;
    }
  }
}
