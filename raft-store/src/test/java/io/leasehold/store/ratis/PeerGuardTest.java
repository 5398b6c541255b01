package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.GroupInfoRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a node answers that is asked for another one. */
final class PeerGuardTest {

  private static final RaftPeerId SELF = RaftPeerId.valueOf("n1@new");

  private static RaftRpcRequestProto to(String peer) {
    return RaftRpcRequestProto.newBuilder()
        .setReplyId(RaftPeerId.valueOf(peer).toByteString())
        .build();
  }

  private static Object message(MethodDescriptor<?, ?> method, String peer) {
    RaftRpcRequestProto to = to(peer);
    return switch (String.valueOf(method.getBareMethodName())) {
      case "requestVote" -> RequestVoteRequestProto.newBuilder().setServerRequest(to).build();
      case "startLeaderElection" ->
          StartLeaderElectionRequestProto.newBuilder().setServerRequest(to).build();
      case "appendEntries" -> AppendEntriesRequestProto.newBuilder().setServerRequest(to).build();
      case "installSnapshot" ->
          InstallSnapshotRequestProto.newBuilder().setServerRequest(to).build();
      case "readIndex" -> ReadIndexRequestProto.newBuilder().setServerRequest(to).build();
      default -> throw new AssertionError(method + " is new: is it meant for one member?");
    };
  }

  /** Whatever Ratis' members ask of each other. */
  static Stream<Arguments> methods() {
    return RaftServerProtocolServiceGrpc.getServiceDescriptor().getMethods().stream()
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void whatIsMeantForItIsHandled(MethodDescriptor<Object, Object> method) {
    Call call = new Call(method);

    call.receive(message(method, "n1@new"));

    assertThat(call.handled).hasSize(1);
    assertThat(call.halfClosed).isTrue();
    assertThat(call.closed).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void whatIsMeantForAnotherIsRefusedAndSoIsWhatFollows(MethodDescriptor<Object, Object> method) {
    Call call = new Call(method);

    call.receive(message(method, "n1@old"), message(method, "n1@new"));

    assertThat(call.handled).isEmpty();
    assertThat(call.halfClosed).as("a call with one request is answered only then").isFalse();
    assertThat(call.closed).containsExactly(Status.Code.INTERNAL);
  }

  @Test
  @SuppressWarnings("unchecked") // All calls are alike here.
  void whatIsAskedOfAnybodyIsHandled() {
    MethodDescriptor<?, ?> method = AdminProtocolServiceGrpc.getGroupInfoMethod();
    Call call = new Call((MethodDescriptor<Object, Object>) method);

    call.receive(GroupInfoRequestProto.newBuilder().setRpcRequest(to("n1@old")).build());

    assertThat(call.handled).hasSize(1);
  }

  /** A call that remembers what reached the server, and what left it. */
  private static final class Call extends ServerCall<Object, Object> {

    private final MethodDescriptor<Object, Object> method;
    private final List<Object> handled = new ArrayList<>();
    private final List<Status.Code> closed = new ArrayList<>();
    private boolean halfClosed;

    Call(MethodDescriptor<Object, Object> method) {
      this.method = method;
    }

    void receive(Object... messages) {
      Listener<Object> listener =
          new PeerGuard(SELF)
              .interceptCall(
                  this,
                  new Metadata(),
                  (call, headers) ->
                      new Listener<>() {
                        @Override
                        public void onMessage(Object message) {
                          handled.add(message);
                        }

                        @Override
                        public void onHalfClose() {
                          halfClosed = true;
                        }
                      });
      for (Object message : messages) {
        listener.onMessage(message);
      }
      listener.onHalfClose();
    }

    @Override
    public void request(int numMessages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(Object message) {}

    @Override
    public void close(Status status, Metadata trailers) {
      closed.add(status.getCode());
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<Object, Object> getMethodDescriptor() {
      return method;
    }
  }
}
