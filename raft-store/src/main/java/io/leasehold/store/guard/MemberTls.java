package io.leasehold.store.guard;

import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.TlsFiles;
import io.leasehold.text.Quoted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.grpc.util.AdvancedTlsX509KeyManager;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.ClientAuth;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContextBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS 1.3 between members, each with a certificate of its own; the files are read again when they
 * have changed. Safe for many threads.
 */
public final class MemberTls {

  private static final Logger LOG = LoggerFactory.getLogger(MemberTls.class);
  private static final String TLS_1_3 = "TLSv1.3";

  /** A session that is resumed is not asked for a certificate: no longer than this. */
  private static final int RESUMED_SECONDS_MAX = 60;

  private static final Duration WARNED_BEFORE = Duration.ofDays(7);
  private static final Duration WARNED_EVERY = Duration.ofDays(1);

  private final StoreConfig config;
  private final TlsFiles files;
  private final AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
  private final MemberTrust trust;
  private final Clock wallClock;
  private List<Object> seen;
  private volatile Instant expires;
  private Instant warnedAt = Instant.MIN;

  private MemberTls(
      StoreConfig config,
      TlsFiles files,
      AddressBook addresses,
      RefusalLog refusals,
      Clock wallClock)
      throws IOException {
    this.config = config;
    this.wallClock = wallClock;
    this.files = files;
    this.seen = stamps(files);
    PemFiles pem = PemFiles.read(files);
    requireOwn(pem.chain().get(0));
    this.trust = new MemberTrust(config.cluster(), addresses, refusals, pem.authorities());
    keys.updateIdentityCredentials(pem.chain().toArray(X509Certificate[]::new), pem.key());
    this.expires = expiry(pem);
  }

  private static Instant expiry(PemFiles pem) {
    return pem.chain().get(0).getNotAfter().toInstant();
  }

  /**
   * Reads the files.
   *
   * @param wallClock says how long the certificate is valid, and decides nothing
   * @throws StoreStartException saying what is wrong with them
   */
  public static MemberTls open(
      StoreConfig config,
      TlsFiles files,
      AddressBook addresses,
      RefusalLog refusals,
      Clock wallClock) {
    try {
      return new MemberTls(config, files, addresses, refusals, wallClock);
    } catch (IOException e) {
      throw new StoreStartException(
          "node %s cannot speak TLS: %s".formatted(config.nodeId(), e.getMessage()), e);
    }
  }

  private void requireOwn(X509Certificate certificate) throws IOException {
    Set<String> nodes = NodeNames.in(certificate, config.cluster());
    if (!nodes.contains(config.nodeId())) {
      throw new IOException(
          "the certificate in %s needs the subject alternative name URI:%s"
              .formatted(files.certificates(), NodeNames.uri(config.cluster(), config.nodeId())));
    }
    try {
      certificate.checkValidity();
    } catch (CertificateException e) {
      throw new IOException(
          "the certificate in %s is not valid now (%s): renew it"
              .formatted(files.certificates(), e.getMessage()),
          e);
    }
  }

  /** What is wrong soon, and what to do; empty while nothing is. */
  public Optional<String> warning() {
    Instant until = expires;
    return wallClock.instant().isBefore(until.minus(WARNED_BEFORE))
        ? Optional.empty()
        : Optional.of(
            "the certificate in %s is valid until %s, and then no member speaks with this node any more: renew it"
                .formatted(files.certificates(), until));
  }

  /**
   * Looks after the files: those that have changed are read again. What cannot be used is logged
   * once, and the node goes on with what it had. That its certificate expires it says once a day.
   */
  public synchronized void tick() {
    reload();
    Instant now = wallClock.instant();
    if (warnedAt.isBefore(now.minus(WARNED_EVERY))) {
      warning()
          .ifPresent(
              warning -> {
                warnedAt = now;
                LOG.warn("node {}: {}", config.nodeId(), warning);
              });
    }
  }

  private void reload() {
    List<Object> now = stamps(files);
    if (now.equals(seen)) {
      return;
    }
    seen = now;
    try {
      PemFiles pem = PemFiles.read(files);
      requireOwn(pem.chain().get(0));
      trust.trust(pem.authorities());
      keys.updateIdentityCredentials(pem.chain().toArray(X509Certificate[]::new), pem.key());
      expires = expiry(pem);
      warnedAt = Instant.MIN;
      LOG.info(
          "node {} has read its TLS files anew: its certificate is valid until {}",
          config.nodeId(),
          expires);
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "node {} goes on with the TLS files of before: {}",
          config.nodeId(),
          Quoted.line(String.valueOf(e.getMessage())));
    }
  }

  private static List<Object> stamps(TlsFiles files) {
    List<Object> stamps = new ArrayList<>();
    for (Path file : List.of(files.key(), files.certificates(), files.trusted())) {
      try {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        stamps.add(attributes.lastModifiedTime());
        stamps.add(attributes.size());
        stamps.add(String.valueOf(attributes.fileKey()));
      } catch (IOException e) {
        stamps.add("missing");
      }
    }
    return stamps;
  }

  /** For Ratis' own connections to the other members. */
  public GrpcTlsConfig forRatis() {
    return GrpcTlsConfig.newBuilder()
        .setKeyManager(keys)
        .setTrustManager(trust)
        .setMutualTls(true)
        .setSslProvider(SslProvider.JDK)
        .setProtocols(TLS_1_3)
        .build();
  }

  /** For this node's other connections to the other members. */
  public SslContext forCalling() {
    return built(SslContextBuilder.forClient().keyManager(keys).trustManager(trust));
  }

  /** For those that call this node. */
  SslContext forBeingCalled() {
    return built(
        SslContextBuilder.forServer(keys)
            .trustManager(trust)
            .clientAuth(ClientAuth.REQUIRE)
            .sessionTimeout(RESUMED_SECONDS_MAX));
  }

  private static SslContext built(SslContextBuilder builder) {
    try {
      return GrpcSslContexts.configure(builder, SslProvider.JDK).protocols(TLS_1_3).build();
    } catch (SSLException e) {
      throw new IllegalStateException("this JVM does not speak " + TLS_1_3, e);
    }
  }
}
