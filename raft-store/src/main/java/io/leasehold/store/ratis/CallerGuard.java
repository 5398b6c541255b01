package io.leasehold.store.ratis;

import io.leasehold.store.Member;
import io.leasehold.store.PeerRefusal;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.guard.NodeNames;
import io.leasehold.store.guard.RefusalLog;
import io.leasehold.text.Quoted;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.SetConfigurationRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * Refuses whatever members do not ask of each other, and whoever is not the member that it says it
 * is. Safe for many threads.
 *
 * <p>Ratis offers to everybody, on the port of the members, what its shell needs: to change and
 * dissolve groups, to pause elections, to make snapshots. Members need two of those.
 *
 * <p>That a request is between members of one cluster is a matter of its identities. Whoever speaks
 * in the clear can say any; with TLS the certificate has to name the node.
 */
final class CallerGuard implements ServerInterceptor {

  /** Who is to lead, and who is a member: for members alone. */
  private static final Set<String> OF_MEMBERS =
      names(
          List.of(
              AdminProtocolServiceGrpc.getSetConfigurationMethod(),
              AdminProtocolServiceGrpc.getTransferLeadershipMethod()));

  private static final String PROPOSE =
      RaftClientProtocolServiceGrpc.getUnorderedMethod().getFullMethodName();

  /** What they may ask who are no members yet, or not any more for who has not heard of it. */
  private static final Set<String> OFFERED =
      names(
          List.of(
              Introductions.method(),
              RaftServerProtocolServiceGrpc.getRequestVoteMethod(),
              RaftServerProtocolServiceGrpc.getStartLeaderElectionMethod(),
              RaftServerProtocolServiceGrpc.getAppendEntriesMethod(),
              RaftServerProtocolServiceGrpc.getInstallSnapshotMethod()));

  private final StoreConfig config;
  private final PeerIdentity self;
  private final Group group;
  private final RefusalLog refusals;

  /** What is known of the group. */
  interface Group {

    /** Its id; empty before this node is in one. */
    Optional<RaftGroupId> id();

    /** Whether a node of that name is a member. */
    boolean has(String name);

    /** A member is about to be taken in. */
    void expect(Member member);
  }

  CallerGuard(StoreConfig config, RaftPeerId self, Group group, RefusalLog refusals) {
    this.config = config;
    this.self = PeerIdentity.of(self);
    this.group = group;
    this.refusals = refusals;
  }

  private static Set<String> names(List<MethodDescriptor<?, ?>> methods) {
    return Set.copyOf(methods.stream().map(MethodDescriptor::getFullMethodName).toList());
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Optional<Set<String>> certified = certified(call);
    Optional<Refused> refused = refusal(call.getMethodDescriptor(), headers, certified);
    if (refused.isPresent()) {
      refuse(
          call,
          refused.get(),
          Status.PERMISSION_DENIED.withDescription(refused.get().why()),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {

      private @Nullable ByteString accepted;
      private boolean over;

      @Override
      public void onMessage(Q message) {
        if (over) {
          return;
        }
        Optional<Refused> refused = refusalOf(message);
        if (refused.isPresent()) {
          over = true;
          StatusRuntimeException failure =
              GrpcUtil.wrapException(
                  new IOException(refused.get().why()),
                  PeerGuard.betweenMembers(message)
                      .map(RaftRpcRequestProto::getCallId)
                      .orElse(-1L));
          refuse(call, refused.get(), failure.getStatus(), failure.getTrailers());
        } else {
          super.onMessage(message);
        }
      }

      private Optional<Refused> refusalOf(Q message) {
        if (message instanceof SetConfigurationRequestProto change) {
          change.getPeersList().forEach(CallerGuard.this::expect);
          change.getListenersList().forEach(CallerGuard.this::expect);
        }
        Optional<RaftRpcRequestProto> between = PeerGuard.betweenMembers(message);
        if (between.isEmpty() || between.get().getRequestorId().equals(accepted)) {
          return Optional.empty();
        }
        Optional<Refused> refused = refusal(between.get(), certified);
        if (refused.isEmpty()) {
          accepted = between.get().getRequestorId();
        }
        return refused;
      }

      @Override
      public void onHalfClose() {
        if (!over) {
          super.onHalfClose();
        }
      }
    };
  }

  private record Refused(PeerRefusal kind, String why) {}

  private static Optional<Refused> refused(PeerRefusal kind, String why) {
    return Optional.of(new Refused(kind, why));
  }

  /** Which nodes the caller's certificate names; empty where it speaks in the clear. */
  private Optional<Set<String>> certified(ServerCall<?, ?> call) {
    if (config.tls().isEmpty()) {
      return Optional.empty();
    }
    SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    try {
      return Optional.of(
          session != null && session.getPeerCertificates()[0] instanceof X509Certificate certificate
              ? NodeNames.in(certificate, config.cluster())
              : Set.of());
    } catch (SSLPeerUnverifiedException e) {
      return Optional.of(Set.of());
    }
  }

  private Optional<Refused> refusal(
      MethodDescriptor<?, ?> method, Metadata headers, Optional<Set<String>> certified) {
    String called = method.getFullMethodName();
    if (called.equals(PROPOSE)) {
      return certified.isEmpty() || certified.get().stream().anyMatch(group::has)
          ? Optional.empty()
          : refused(PeerRefusal.NOT_OFFERED, called + " is for members: " + certified.get());
    }
    if (OFFERED.contains(called)) {
      return Optional.empty();
    }
    if (!OF_MEMBERS.contains(called)) {
      return refused(PeerRefusal.NOT_OFFERED, called + " is not offered");
    }
    String from = headers.get(MemberChannels.FROM);
    if (from == null || from.isEmpty()) {
      return refused(PeerRefusal.NOT_OFFERED, called + " is for members, who say who they are");
    }
    PeerIdentity caller = PeerIdentity.of(RaftPeerId.valueOf(from));
    if (!caller.isNear(self) || !group.has(caller.name())) {
      return refused(PeerRefusal.NOT_OFFERED, called + " is for members: " + Quoted.text(from));
    }
    return mayBe(caller.name(), certified);
  }

  private Optional<Refused> refusal(RaftRpcRequestProto request, Optional<Set<String>> certified) {
    String from = request.getRequestorId().toStringUtf8();
    PeerIdentity caller = PeerIdentity.of(RaftPeerId.valueOf(from.isEmpty() ? "nobody" : from));
    if (!caller.isNear(self)) {
      return refused(PeerRefusal.OTHER_CLUSTER, Quoted.text(from) + " asks " + self.peer());
    }
    Optional<RaftGroupId> own = group.id();
    ByteString asked = request.getRaftGroupId().getId();
    if (own.isPresent() && !asked.isEmpty() && !own.get().toByteString().equals(asked)) {
      return refused(
          PeerRefusal.OTHER_CLUSTER, Quoted.text(from) + " asks a member of another group");
    }
    return mayBe(caller.name(), certified);
  }

  private static Optional<Refused> mayBe(String name, Optional<Set<String>> certified) {
    if (certified.isEmpty() || certified.get().contains(name)) {
      return Optional.empty();
    }
    return refused(PeerRefusal.IDENTITY, "it says that it is " + Quoted.text(name));
  }

  private void expect(RaftPeerProto peer) {
    String name = PeerIdentity.nameOf(RaftPeerId.valueOf(peer.getId()));
    try {
      group.expect(Member.parse(name + "=" + peer.getAddress()));
    } catch (IllegalArgumentException e) {
      // Ratis will refuse what is no member, and nothing is expected at what is no address.
    }
  }

  private void refuse(ServerCall<?, ?> call, Refused refused, Status status, Metadata trailers) {
    refusals.refused(
        refused.kind(), call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR), refused.why());
    call.close(status, trailers);
  }
}
