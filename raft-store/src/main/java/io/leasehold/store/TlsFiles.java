package io.leasehold.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a node needs to speak TLS with the other members, as files in PEM form. They are read again
 * when they have changed, so a certificate is renewed by replacing them; connections that are there
 * stay as they are.
 *
 * <p>A node's certificate says which node it is by a subject alternative name of the kind URI:
 * {@code leasehold:shop/n1} for node {@code n1} of cluster {@code shop}. It is used both to call
 * and to be called.
 *
 * @param key the node's private key, RSA or EC, as PKCS #8 without a password
 * @param certificates the node's certificate, then those between it and a trusted one
 * @param trusted whose certificates are believed; best an authority of this cluster alone
 */
public record TlsFiles(Path key, Path certificates, Path trusted) {

  /**
   * @throws IllegalArgumentException naming what is missing
   */
  public TlsFiles {
    require("key", key);
    require("certificates", certificates);
    require("trusted", trusted);
  }

  private static void require(String name, @Nullable Path file) {
    if (file == null) {
      throw new IllegalArgumentException("the file for TLS with the " + name + " must not be null");
    }
  }
}
