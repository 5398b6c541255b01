package io.leasehold.store.guard;

import io.leasehold.store.PeerRefusal;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Whose certificate is believed: a node's of this cluster, signed by who is trusted; and of whom
 * this node calls, the one that is expected at the address. That takes the place of the host's
 * name, which a certificate need not have: a member is who it is wherever it runs, and several may
 * run on one host. Safe for many threads.
 */
final class MemberTrust extends X509ExtendedTrustManager {

  private final String cluster;
  private final AddressBook addresses;
  private final RefusalLog refusals;
  private volatile X509TrustManager authorities;

  MemberTrust(
      String cluster, AddressBook addresses, RefusalLog refusals, X509TrustManager authorities) {
    this.cluster = cluster;
    this.addresses = addresses;
    this.refusals = refusals;
    this.authorities = authorities;
  }

  /** Trusts these from now on, and no others. */
  void trust(X509TrustManager newAuthorities) {
    authorities = newAuthorities;
  }

  /** Who refuses a caller knows from where it calls, and says so: {@link Entrance}. */
  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    authorities.checkClientTrusted(chain, authType);
    Set<String> unused = requireNodes(chain[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    String host = String.valueOf(engine.getPeerHost());
    try {
      authorities.checkServerTrusted(chain, authType);
      Set<String> nodes = requireNodes(chain[0]);
      Set<String> expected = addresses.at(host, engine.getPeerPort());
      if (Collections.disjoint(nodes, expected)) {
        throw new CertificateException(
            "at %s:%d a node %s is expected, and the certificate names %s"
                .formatted(host, engine.getPeerPort(), expected, nodes));
      }
    } catch (CertificateException e) {
      refusals.refused(
          PeerRefusal.CERTIFICATE, host, "it was called, and answered: " + e.getMessage());
      throw e;
    }
  }

  private Set<String> requireNodes(X509Certificate certificate) throws CertificateException {
    Set<String> nodes = NodeNames.in(certificate, cluster);
    if (nodes.isEmpty()) {
      throw new CertificateException(
          "the certificate has no subject alternative name " + NodeNames.uri(cluster, "ID"));
    }
    return nodes;
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities.getAcceptedIssuers();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw new CertificateException("members are connected by engines, not by sockets");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw new CertificateException("members are connected by engines, not by sockets");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("members are connected by engines, not by sockets");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("members are connected by engines, not by sockets");
  }
}
