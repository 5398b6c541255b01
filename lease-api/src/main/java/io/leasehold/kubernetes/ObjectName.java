package io.leasehold.kubernetes;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The name of the object for a lease: different for different leases. */
final class ObjectName {

  private static final int LENGTH_MAX = 253;
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final String HASHED = "leasehold.sha256.";

  private ObjectName() {}

  /** Returns the lease's own name if Kubernetes allows it, and a hash of it otherwise. */
  static String of(String lease) {
    boolean allowed =
        lease.length() <= LENGTH_MAX
            && SUBDOMAIN.matcher(lease).matches()
            && !lease.startsWith(HASHED);
    return allowed ? lease : HASHED + hash(lease);
  }

  private static String hash(String lease) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(lease.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }
}
