package io.leasehold.store.guard;

import io.leasehold.store.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.apache.ratis.thirdparty.io.grpc.util.CertificateUtils;

/**
 * What {@link TlsFiles} have in them.
 *
 * @param key the private key
 * @param chain the certificate, then those between it and a trusted one
 * @param authorities who is trusted
 */
record PemFiles(PrivateKey key, List<X509Certificate> chain, X509TrustManager authorities) {

  /**
   * @throws IOException with a sentence that names the file, and says what is wrong with it
   */
  static PemFiles read(TlsFiles files) throws IOException {
    List<X509Certificate> chain = certificates(files.certificates());
    PrivateKey key = key(files.key());
    if (!fits(key, chain.get(0))) {
      throw new IOException(
          "the key in %s is not that of the certificate in %s"
              .formatted(files.key(), files.certificates()));
    }
    return new PemFiles(key, chain, authorities(certificates(files.trusted())));
  }

  /** Whether what the key signs is what the certificate is believed for. */
  private static boolean fits(PrivateKey key, X509Certificate certificate) throws IOException {
    try {
      Signature signature =
          Signature.getInstance(
              key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA");
      signature.initSign(key);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      return signature.verify(signed);
    } catch (InvalidKeyException | SignatureException e) {
      return false; // of another kind
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("this JVM has no signatures of " + key.getAlgorithm(), e);
    }
  }

  private static List<X509Certificate> certificates(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      List<X509Certificate> certificates = List.of(CertificateUtils.getX509Certificates(in));
      if (certificates.isEmpty()) {
        throw new IOException("there is no certificate in " + file);
      }
      return certificates;
    } catch (NoSuchFileException e) {
      throw new IOException("there is no file " + file, e);
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "%s is no list of certificates in PEM form (%s)".formatted(file, e.getMessage()), e);
    }
  }

  private static PrivateKey key(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateUtils.getPrivateKey(in);
    } catch (NoSuchFileException e) {
      throw new IOException("there is no file " + file, e);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(
          "%s is no private key of RSA or EC in PEM form, PKCS #8, without a password: openssl pkcs8 -topk8 -nocrypt makes it one"
              .formatted(file),
          e);
    }
  }

  private static X509TrustManager authorities(List<X509Certificate> trusted) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < trusted.size(); i++) {
        store.setCertificateEntry("trusted" + i, trusted.get(i));
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager x509) {
          return x509;
        }
      }
      throw new IOException("this JVM has no trust manager for X.509");
    } catch (GeneralSecurityException e) {
      throw new IOException("the trusted certificates cannot be used: " + e.getMessage(), e);
    }
  }
}
