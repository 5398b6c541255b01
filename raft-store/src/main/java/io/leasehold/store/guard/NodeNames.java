package io.leasehold.store.guard;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which nodes of a cluster a certificate names. */
public final class NodeNames {

  /** The kind of a subject alternative name that is a URI (RFC 5280, section 4.2.1.6). */
  private static final int URI = 6;

  private NodeNames() {}

  /** How a certificate names a node: {@code leasehold:shop/n1}. */
  public static String uri(String cluster, String node) {
    return "leasehold:" + cluster + "/" + node;
  }

  /** Returns the nodes of that cluster that a certificate names; none if it cannot be read. */
  public static Set<String> in(X509Certificate certificate, String cluster) {
    String prefix = uri(cluster, "");
    Set<String> nodes = new TreeSet<>();
    for (List<?> name : alternativeNames(certificate)) {
      if (name.get(0).equals(URI) && name.get(1) instanceof String uri && uri.startsWith(prefix)) {
        nodes.add(uri.substring(prefix.length()));
      }
    }
    return nodes;
  }

  private static Collection<List<?>> alternativeNames(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null ? List.of() : names;
    } catch (CertificateParsingException e) {
      return List.of();
    }
  }
}
