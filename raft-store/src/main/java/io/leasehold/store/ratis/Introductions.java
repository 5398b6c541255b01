package io.leasehold.store.ratis;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.GroupInfoReplyProto;
import org.apache.ratis.proto.RaftProtos.GroupInfoRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.Message;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.Channel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.protobuf.ProtoUtils;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/**
 * How a node asks another one who it is. Ratis has no such question: its servers say who they are
 * only to those who know it, and nothing at all before they are in a group. The messages are those
 * of Ratis' question about a group.
 */
final class Introductions {

  private static final String SERVICE = "leasehold.Introductions";

  private static final MethodDescriptor<GroupInfoRequestProto, GroupInfoReplyProto> INTRODUCE =
      MethodDescriptor.<GroupInfoRequestProto, GroupInfoReplyProto>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Introduce"))
          .setRequestMarshaller(marshaller(GroupInfoRequestProto.getDefaultInstance()))
          .setResponseMarshaller(marshaller(GroupInfoReplyProto.getDefaultInstance()))
          .build();

  private Introductions() {}

  private static <M extends Message> MethodDescriptor.Marshaller<M> marshaller(M message) {
    return ProtoUtils.marshaller(message);
  }

  /** The side that answers. */
  static ServerServiceDefinition service(Supplier<Introduction> self) {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            INTRODUCE,
            ServerCalls.asyncUnaryCall(
                (request, answer) -> {
                  answer.onNext(proto(self.get()));
                  answer.onCompleted();
                }))
        .build();
  }

  private static GroupInfoReplyProto proto(Introduction introduction) {
    GroupInfoReplyProto.Builder reply =
        GroupInfoReplyProto.newBuilder()
            .setRpcReply(
                RaftRpcReplyProto.newBuilder()
                    .setReplyId(introduction.peer().toByteString())
                    .setSuccess(true));
    introduction
        .group()
        .ifPresent(
            group ->
                reply.setGroup(org.apache.ratis.util.ProtoUtils.toRaftGroupProtoBuilder(group)));
    return reply.build();
  }

  /** The side that asks: completes within a time, or fails. */
  static CompletableFuture<Introduction> ask(Channel channel, Duration limit) {
    CompletableFuture<Introduction> introduced = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(
        channel.newCall(
            INTRODUCE,
            CallOptions.DEFAULT.withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)),
        GroupInfoRequestProto.getDefaultInstance(),
        new StreamObserver<GroupInfoReplyProto>() {
          @Override
          public void onNext(GroupInfoReplyProto reply) {
            try {
              introduced.complete(introduction(reply));
            } catch (RuntimeException e) {
              introduced.completeExceptionally(e);
            }
          }

          @Override
          public void onError(Throwable t) {
            introduced.completeExceptionally(t);
          }

          @Override
          public void onCompleted() {
            introduced.completeExceptionally(new IllegalStateException("it has said nothing"));
          }
        });
    return introduced;
  }

  private static Introduction introduction(GroupInfoReplyProto reply) {
    return new Introduction(
        RaftPeerId.valueOf(reply.getRpcReply().getReplyId()),
        reply.hasGroup()
            ? Optional.of(org.apache.ratis.util.ProtoUtils.toRaftGroup(reply.getGroup()))
            : Optional.empty());
  }
}
