package io.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.store.core.BatchReply;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters whose members speak TLS. */
final class TlsIT {

  @TempDir static Path certificateFolder;
  private static TestCertificates certificates;
  private static final Map<String, TlsFiles> FILES = new TreeMap<>();

  @TempDir Path root;

  @BeforeAll
  static void makeCertificates() {
    certificates = new TestCertificates(certificateFolder).authority("ca");
    for (String id : List.of("n1", "n2", "n3", "n4")) {
      FILES.put(id, certificates.node(id, "ca"));
    }
  }

  private static TlsFiles files(Map<String, TlsFiles> all, String id) {
    return Objects.requireNonNull(all.get(id), id);
  }

  private static long refusals(StoreNode node) {
    return Stream.of(PeerRefusal.values()).mapToLong(node::refused).sum();
  }

  private static StoreConfig withTls(StoreConfig config) {
    return config.withTls(files(FILES, config.nodeId()));
  }

  @Test
  void aClusterServesAndLosesALeaderAndRefusesNoMember() {
    try (StoreCluster cluster = StoreCluster.start(root, TlsIT::withTls)) {
      StoreCluster.Client client = new StoreCluster.Client(1);
      client.open(cluster.follower(), Duration.ofMinutes(1));
      String former = cluster.leader().node();
      cluster.stop(former);

      BatchReply reply = client.call(cluster.leader());
      cluster.start(former);
      cluster.awaitSameIndex(cluster.node(former), cluster.leader());

      assertThat(reply.status()).isEqualTo(BatchReply.Status.APPLIED);
      assertThat(cluster.nodes()).allSatisfy(node -> assertThat(refusals(node)).isZero());
    }
  }

  @Test
  void aMemberIsAddedThatNobodyHasInItsListAndAnotherOneRemoved() throws Exception {
    try (StoreCluster cluster = StoreCluster.start(root, TlsIT::withTls)) {
      new StoreCluster.Client(1).open(cluster.leader(), Duration.ofMinutes(1));
      Member added;
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
        added = new Member("n4", "127.0.0.1", socket.getLocalPort());
      }
      List<Member> all = new ArrayList<>(cluster.members());
      all.add(added);
      StoreConfig config = withTls(StoreConfig.of("test", "n4", all, root.resolve("n4")));
      try (StoreNode fourth = StoreNode.start(config)) {
        StoreNode follower = cluster.follower();

        StoreCluster.get(follower.addMember(added), Duration.ofSeconds(20));
        cluster.awaitSameIndex(fourth, cluster.leader());
        StoreCluster.get(fourth.removeMember(follower.node()), Duration.ofSeconds(20));

        assertThat(fourth.status().members()).contains(added).hasSize(3);
      }
    }
  }

  @Test
  void aCertificateIsRenewedWithoutARestart() throws Exception {
    certificates.authority("newca");
    Path trusted = certificates.together("ca", "newca");
    Map<String, TlsFiles> own = new TreeMap<>();
    for (String id : List.of("n1", "n2", "n3")) {
      own.put(
          id, copy(files(FILES, id), Files.createDirectory(root.resolve("tls-" + id)), trusted));
    }
    try (StoreCluster cluster =
        StoreCluster.start(root, config -> config.withTls(files(own, config.nodeId())))) {
      StoreCluster.Client client = new StoreCluster.Client(1);
      client.open(cluster.leader(), Duration.ofMinutes(1));
      assertThat(issuer(cluster.member("n1"))).isEqualTo("CN=ca");

      copy(certificates.node("n1", "newca"), root.resolve("tls-n1"), trusted);

      await("the new certificate is shown")
          .atMost(StoreCluster.LIMIT)
          .until(() -> issuer(cluster.member("n1")).equals("CN=newca"));
      cluster.stop("n2");
      cluster.start("n2"); // and connects to n1 anew
      cluster.awaitSameIndex(cluster.node("n2"), cluster.leader());
      assertThat(client.call(cluster.node("n2")).status()).isEqualTo(BatchReply.Status.APPLIED);
      assertThat(refusals(cluster.node("n2"))).isZero();
    }
  }

  @Test
  void aCertificateThatExpiresSoonIsWarnedOf() {
    TlsFiles soon = certificates.certificate("soon", "ca", "leasehold:test/n1", "-validity", "1");
    Member member = StoreCluster.freeMembers().get(0);
    StoreConfig config = StoreConfig.of("test", "n1", List.of(member), root.resolve("n1"));
    try (StoreNode node = StoreNode.start(config.withTls(soon))) {
      assertThat(node.status().warning())
          .hasValueSatisfying(
              warning -> assertThat(warning).contains("is valid until").endsWith("renew it"));
    }
  }

  @Test
  void aMemberThatAnswersInThePlaceOfAnotherIsNotSpokenWith() {
    List<Member> members = StoreCluster.freeMembers().subList(0, 2);
    Member stranger = new Member("n3", "127.0.0.1", members.get(1).port());
    try (StoreNode other =
            StoreNode.start(
                withTls(StoreConfig.of("test", "n3", List.of(stranger), root.resolve("n3"))));
        StoreNode node =
            StoreNode.start(withTls(StoreConfig.of("test", "n1", members, root.resolve("n1"))))) {
      await("the certificate of n3 is refused where n2 is expected")
          .atMost(StoreCluster.LIMIT)
          .until(() -> node.refused(PeerRefusal.CERTIFICATE) > 0);
      assertThat(other.refused(PeerRefusal.CERTIFICATE)).isZero();
    }
  }

  @Test
  void whatCannotBeReadChangesNothing() throws Exception {
    TlsFiles own =
        copy(
            files(FILES, "n1"),
            Files.createDirectory(root.resolve("tls")),
            files(FILES, "n1").trusted());
    Member member = StoreCluster.freeMembers().get(0);
    StoreConfig config =
        StoreConfig.of("test", "n1", List.of(member), root.resolve("n1")).withTls(own);
    try (StoreNode node = StoreNode.start(config)) {
      Files.writeString(own.certificates(), "half of it");
      new StoreCluster.Client(1).open(node, Duration.ofMinutes(1));

      assertThat(issuer(member)).isEqualTo("CN=ca");
    }
  }

  @Test
  void aNodeDoesNotStartWithTheCertificateOfAnother() {
    Member member = StoreCluster.freeMembers().get(0);
    StoreConfig config = StoreConfig.of("test", "n1", List.of(member), root.resolve("n1"));

    assertThatExceptionOfType(StoreStartException.class)
        .isThrownBy(() -> StoreNode.start(config.withTls(files(FILES, "n2"))))
        .withMessageContaining("node n1 cannot speak TLS")
        .withMessageContaining("needs the subject alternative name URI:leasehold:test/n1");
  }

  @Test
  void aNodeDoesNotStartWithoutItsFiles() {
    Member member = StoreCluster.freeMembers().get(0);
    TlsFiles files = files(FILES, "n1");
    Path none = root.resolve("none.pem");
    StoreConfig config = StoreConfig.of("test", "n1", List.of(member), root.resolve("n1"));

    assertThatExceptionOfType(StoreStartException.class)
        .isThrownBy(
            () ->
                StoreNode.start(
                    config.withTls(new TlsFiles(none, files.certificates(), files.trusted()))))
        .withMessageContaining("there is no file " + none);
    assertThatExceptionOfType(StoreStartException.class)
        .isThrownBy(
            () ->
                StoreNode.start(
                    config.withTls(
                        new TlsFiles(files.certificates(), files.certificates(), files.trusted()))))
        .withMessageContaining("openssl pkcs8 -topk8 -nocrypt");
    assertThatExceptionOfType(StoreStartException.class)
        .isThrownBy(
            () ->
                StoreNode.start(
                    config.withTls(
                        new TlsFiles(
                            files(FILES, "n2").key(), files.certificates(), files.trusted()))))
        .withMessageContaining("is not that of the certificate");
  }

  private static TlsFiles copy(TlsFiles files, Path folder, Path trusted) throws Exception {
    Path key = folder.resolve("node.key");
    Path chain = folder.resolve("node.crt");
    Files.copy(files.key(), key, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(files.certificates(), chain, StandardCopyOption.REPLACE_EXISTING);
    return new TlsFiles(key, chain, trusted);
  }

  /** Who has signed the certificate that a member shows. */
  private static String issuer(Member member) throws Exception {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(null, new TrustManager[] {new Credulous()}, new SecureRandom());
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(member.host(), member.port())) {
      socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(5));
      socket.startHandshake();
      X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return shown.getIssuerX500Principal().getName();
    }
  }

  private static final class Credulous implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
