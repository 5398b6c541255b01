package io.leasehold.store.guard;

import io.leasehold.store.PeerRefusal;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerStreamTracer;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcHttp2ConnectionHandler;
import org.apache.ratis.thirdparty.io.grpc.netty.InternalProtocolNegotiator;
import org.apache.ratis.thirdparty.io.grpc.netty.InternalProtocolNegotiators;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandler;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.NotSslRecordException;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.util.AsciiString;
import org.apache.ratis.thirdparty.io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * A member's port: refuses connections that are not a member's before anything of them is read, and
 * says so. Without it gRPC closes them as well, but tells nobody who they were, or at length. Safe
 * for many threads.
 */
public final class Entrance {

  /** What every connection of gRPC begins with (RFC 9113, section 3.4). */
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** How long a caller may take to say who it is. */
  private static final long HANDSHAKE_SECONDS_MAX = 10;

  private final Optional<SslContext> tls;
  private final RefusalLog refusals;

  /**
   * @param tls what a caller has to speak; empty for none
   */
  public Entrance(Optional<MemberTls> tls, RefusalLog refusals) {
    this.tls = tls.map(MemberTls::forBeingCalled);
    this.refusals = refusals;
  }

  /** Has a server's connections come in here. */
  public NettyServerBuilder applyTo(NettyServerBuilder builder) {
    InternalProtocolNegotiator.ProtocolNegotiator negotiator =
        tls.map(context -> negotiator(InternalProtocolNegotiators.serverTls(context), true))
            .orElseGet(() -> negotiator(InternalProtocolNegotiators.serverPlaintext(), false));
    return builder
        .protocolNegotiator(negotiator)
        .handshakeTimeout(HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS)
        .addStreamTracerFactory(
            new ServerStreamTracer.Factory() {
              @Override
              public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
                return new Stream(method);
              }
            });
  }

  private InternalProtocolNegotiator.ProtocolNegotiator negotiator(
      InternalProtocolNegotiator.ProtocolNegotiator ofGrpc, boolean isTls) {
    return new InternalProtocolNegotiator.ProtocolNegotiator() {
      @Override
      public AsciiString scheme() {
        return ofGrpc.scheme();
      }

      @Override
      public ChannelHandler newHandler(GrpcHttp2ConnectionHandler grpc) {
        return new Placed(ofGrpc.newHandler(grpc), isTls);
      }

      @Override
      public void close() {
        ofGrpc.close();
      }
    };
  }

  /** Gives its place to gRPC's handler and puts the watch beside it, where it hears of failures. */
  private final class Placed extends ChannelInboundHandlerAdapter {

    private final ChannelHandler ofGrpc;
    private final boolean isTls;

    Placed(ChannelHandler ofGrpc, boolean isTls) {
      this.ofGrpc = ofGrpc;
      this.isTls = isTls;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      if (isTls) {
        context.pipeline().addAfter(context.name(), null, new HandshakeWatch());
      } else {
        context.pipeline().addBefore(context.name(), null, new PrefaceCheck());
      }
      context.pipeline().replace(context.name(), null, ofGrpc);
    }
  }

  private final class HandshakeWatch extends ChannelInboundHandlerAdapter {

    private boolean told;

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      if (!told) {
        told = true;
        Throwable cause = innermost(failure);
        kind(failure, cause)
            .ifPresent(
                kind -> refusals.refused(kind, context.channel().remoteAddress(), text(cause)));
      }
      var unused = context.close();
    }

    /** Empty where the other side has gone, or has refused this one. */
    private static Optional<PeerRefusal> kind(Throwable failure, Throwable cause) {
      String message = String.valueOf(cause.getMessage());
      if (cause instanceof NotSslRecordException) {
        // Netty shows the bytes in hexadecimal: first those of "PRI".
        return Optional.of(
            message.contains(": 505249") ? PeerRefusal.PLAIN_TEXT : PeerRefusal.UNREADABLE);
      } else if (message.startsWith("Received fatal alert")) {
        return Optional.empty();
      } else if (isOfCertificate(failure) || message.equals("Empty client certificate chain")) {
        return Optional.of(PeerRefusal.CERTIFICATE);
      }
      return cause instanceof SSLException ? Optional.of(PeerRefusal.UNREADABLE) : Optional.empty();
    }

    private static boolean isOfCertificate(Throwable failure) {
      for (Throwable each = failure; each != null; each = each.getCause()) {
        if (each instanceof CertificateException) {
          return true;
        }
      }
      return false;
    }

    private static String text(Throwable cause) {
      return cause instanceof NotSslRecordException
          ? "it does not begin as TLS does"
          : String.valueOf(cause.getMessage());
    }

    private static Throwable innermost(Throwable failure) {
      Throwable each = failure;
      while (each.getCause() != null) {
        each = each.getCause();
      }
      return each;
    }
  }

  private final class PrefaceCheck extends ChannelInboundHandlerAdapter {

    private int matched;
    private boolean refused;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (refused) {
        ReferenceCountUtil.release(message);
        return;
      }
      if (message instanceof ByteBuf bytes && !matches(bytes)) {
        refused = true;
        bytes.release();
        refusals.refused(
            PeerRefusal.UNREADABLE,
            context.channel().remoteAddress(),
            "it does not begin as HTTP/2 does");
        var unused = context.close();
        return;
      }
      if (matched == PREFACE.length) {
        context.pipeline().remove(this);
      }
      context.fireChannelRead(message);
    }

    private boolean matches(ByteBuf bytes) {
      for (int i = bytes.readerIndex(); i < bytes.writerIndex() && matched < PREFACE.length; i++) {
        if (bytes.getByte(i) != PREFACE[matched]) {
          return false;
        }
        matched++;
      }
      return true;
    }
  }

  /** A call, of which is known how it ends. */
  private final class Stream extends ServerStreamTracer {

    private final String method;
    private volatile @Nullable ServerCallInfo<?, ?> call;

    Stream(String method) {
      this.method = method;
    }

    @Override
    public void serverCallStarted(ServerCallInfo<?, ?> started) {
      call = started;
    }

    @Override
    public void streamClosed(Status status) {
      if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
        refuse(PeerRefusal.TOO_LARGE, status);
      } else if (status.getCode() == Status.Code.UNIMPLEMENTED) {
        refuse(PeerRefusal.NOT_OFFERED, status);
      }
    }

    private void refuse(PeerRefusal kind, Status status) {
      ServerCallInfo<?, ?> known = call;
      refusals.refused(
          kind,
          known == null ? null : known.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
          method + ": " + status.getDescription());
    }
  }
}
