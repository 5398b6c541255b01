package io.leasehold.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** Certificates as the JDK's keytool makes them, written as PEM files. */
public final class TestCertificates {

  private static final String PASSWORD = "changeit";

  private final Path folder;

  /**
   * @param folder where they are; stays the caller's
   */
  public TestCertificates(Path folder) {
    this.folder = folder;
  }

  /** Makes an authority of that name. */
  public TestCertificates authority(String name) {
    keytool(List.of("-alias", name, "-dname", "CN=" + name, "-ext", "bc:c"));
    write(folder.resolve(name + ".crt"), pem("CERTIFICATE", encoded(name)));
    return this;
  }

  /** Makes a certificate of a node of cluster {@code test}, which is valid for a year. */
  public TlsFiles node(String id, String authority) {
    return certificate(id + "-" + authority, authority, "leasehold:test/" + id);
  }

  /**
   * Makes a certificate.
   *
   * @param uri its alternative name
   * @param validity further options of keytool
   */
  public TlsFiles certificate(String alias, String authority, String uri, String... validity) {
    keytool(
        Stream.concat(
                Stream.of(
                    "-alias",
                    alias,
                    "-dname",
                    "CN=" + alias,
                    "-ext",
                    "san=uri:" + uri,
                    "-signer",
                    authority),
                Stream.of(validity))
            .toList());
    Path key = folder.resolve(alias + ".key");
    Path chain = folder.resolve(alias + ".crt");
    write(key, pem("PRIVATE KEY", key(alias).getEncoded()));
    write(chain, pem("CERTIFICATE", encoded(alias)));
    return new TlsFiles(key, chain, folder.resolve(authority + ".crt"));
  }

  /** Puts certificates of several authorities into one file. */
  public Path together(String... authorities) {
    Path all = folder.resolve(String.join("-and-", authorities) + ".crt");
    write(
        all,
        Stream.of(authorities)
            .map(each -> pem("CERTIFICATE", encoded(each)))
            .reduce("", String::concat));
    return all;
  }

  private void keytool(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-keystore", store().toString(), "-storepass", PASSWORD));
    command.addAll(options);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(command + ": " + output);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Path store() {
    return folder.resolve("keys.p12");
  }

  private KeyStore keys() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store())) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private Key key(String alias) {
    try {
      return keys().getKey(alias, PASSWORD.toCharArray());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] encoded(String alias) {
    try {
      Certificate certificate = keys().getCertificate(alias);
      return certificate.getEncoded();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), kind);
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
