package io.leasehold.store.ratis;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.leasehold.store.Member;
import io.leasehold.store.codec.proto.IntroductionProto;
import io.leasehold.store.codec.proto.IntroductionQuestionProto;
import io.leasehold.store.codec.proto.MemberProto;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.Channel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/**
 * How a node asks another one who it is. Ratis has no such question: its servers say who they are
 * only to those who know it, and nothing at all before they are in a group.
 */
final class Introductions {

  private static final String SERVICE = "leasehold.Introductions";

  private static final MethodDescriptor<IntroductionQuestionProto, IntroductionProto> INTRODUCE =
      MethodDescriptor.<IntroductionQuestionProto, IntroductionProto>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Introduce"))
          .setRequestMarshaller(new Bytes<>(IntroductionQuestionProto.parser()))
          .setResponseMarshaller(new Bytes<>(IntroductionProto.parser()))
          .build();

  private Introductions() {}

  /** The question. */
  static MethodDescriptor<?, ?> method() {
    return INTRODUCE;
  }

  /** Messages as bytes; gRPC's own marshallers here know Ratis' copy of Protocol Buffers only. */
  private record Bytes<M extends Message>(Parser<M> parser)
      implements MethodDescriptor.Marshaller<M> {

    @Override
    public InputStream stream(M message) {
      return message.toByteString().newInput();
    }

    @Override
    public M parse(InputStream bytes) {
      try {
        return parser.parseFrom(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The side that answers. */
  static ServerServiceDefinition service(Supplier<Introduction> self) {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            INTRODUCE,
            ServerCalls.asyncUnaryCall(
                (question, answer) -> {
                  answer.onNext(proto(self.get()));
                  answer.onCompleted();
                }))
        .build();
  }

  private static IntroductionProto proto(Introduction introduction) {
    IntroductionProto.Builder proto =
        IntroductionProto.newBuilder()
            .setPeer(introduction.peer().toString())
            .setEntryFormat(introduction.entryFormat())
            .setListener(introduction.listener())
            .setChangedAt(introduction.changedAt());
    introduction
        .group()
        .ifPresent(
            group -> {
              proto.setGroup(group.getGroupId().getUuid().toString());
              for (RaftPeer peer : group.getPeers()) {
                proto.addMembers(
                    MemberProto.newBuilder()
                        .setPeer(peer.getId().toString())
                        .setAddress(peer.getAddress()));
              }
            });
    return proto.build();
  }

  /** The side that asks: completes within a time, or fails. */
  static CompletableFuture<Introduction> ask(Channel channel, Duration limit) {
    CompletableFuture<Introduction> introduced = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(
        channel.newCall(
            INTRODUCE,
            CallOptions.DEFAULT.withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)),
        IntroductionQuestionProto.getDefaultInstance(),
        new StreamObserver<IntroductionProto>() {
          @Override
          public void onNext(IntroductionProto reply) {
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

  private static Introduction introduction(IntroductionProto proto) {
    return new Introduction(
        peer(proto.getPeer()),
        proto.getEntryFormat(),
        proto.getListener(),
        proto.getChangedAt(),
        proto.hasGroup() ? Optional.of(group(proto)) : Optional.empty());
  }

  /** What is no name of a member is no answer, and gets neither into a log nor to a terminal. */
  private static RaftPeerId peer(String text) {
    RaftPeerId peer = RaftPeerId.valueOf(text);
    Member unused = new Member(PeerIdentity.nameOf(peer), "any", 1); // or it throws
    return peer;
  }

  private static RaftGroup group(IntroductionProto proto) {
    return RaftGroup.valueOf(
        RaftGroupId.valueOf(UUID.fromString(proto.getGroup())),
        proto.getMembersList().stream()
            .map(
                member ->
                    RaftPeer.newBuilder()
                        .setId(peer(member.getPeer()))
                        .setAddress(member.getAddress())
                        .build())
            .toList());
  }
}
