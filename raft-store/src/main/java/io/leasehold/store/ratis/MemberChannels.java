package io.leasehold.store.ratis;

import io.leasehold.store.Member;
import io.leasehold.text.Quoted;
import java.util.Optional;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.Channel;
import org.apache.ratis.thirdparty.io.grpc.ClientCall;
import org.apache.ratis.thirdparty.io.grpc.ClientInterceptor;
import org.apache.ratis.thirdparty.io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;

/**
 * Makes this node's own connections to other members. Immutable.
 *
 * @param from this node, as whom it calls
 * @param messageBytesMax the largest reply
 * @param tls how to speak; empty to speak in the clear
 */
record MemberChannels(String from, int messageBytesMax, Optional<SslContext> tls) {

  /** Who calls. With TLS the certificate has to name the same node. */
  static final Metadata.Key<String> FROM =
      Metadata.Key.of("leasehold-from", Metadata.ASCII_STRING_MARSHALLER);

  /** A connection, which is made when it is first used. */
  ManagedChannel open(Member member) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget(member.address())
            .proxyDetector(target -> null)
            .disableRetry()
            .directExecutor()
            .maxInboundMessageSize(messageBytesMax)
            .intercept(new Calls());
    tls.ifPresentOrElse(builder::sslContext, builder::usePlaintext);
    return builder.build();
  }

  private static Status printable(Status status) {
    String said = status.getDescription();
    return said == null ? status : status.withDescription(Quoted.line(said));
  }

  /**
   * Says who calls. And takes the exceptions out of what comes back that Ratis would read by Java's
   * serialization, which may be anything: the message says the same.
   */
  private final class Calls implements ClientInterceptor {

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<R> listener, Metadata headers) {
          headers.put(FROM, from);
          super.start(
              new SimpleForwardingClientCallListener<>(listener) {
                @Override
                public void onClose(Status status, Metadata trailers) {
                  trailers.discardAll(GrpcUtil.EXCEPTION_OBJECT_KEY);
                  super.onClose(printable(status), trailers);
                }
              },
              headers);
        }
      };
    }
  }
}
