package io.leasehold.store.guard;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * Whether a node would speak to a network in the clear, and with whoever is there. It does so only
 * if it is told to.
 */
public final class Exposure {

  private static final String REMEDY =
      "give every node its TLS files (StoreConfig.withTls; --tls-key, …), or say that only members can reach that network (StoreConfig.withInsecureNetwork; --insecure)";

  private Exposure() {}

  /** Returns why a node must not run as it is configured, and what to do; empty if it may. */
  public static Optional<String> of(StoreConfig config) {
    if (isAllowed(config) || isUnknown(config.bindHost())) {
      return Optional.empty();
    }
    if (!isLoopback(config.bindHost())) {
      return Optional.of(
          "node %s would listen without TLS on %s, which others than this machine may reach: %s"
              .formatted(config.nodeId(), config.bindHost(), REMEDY));
    }
    return config.members().stream().flatMap(member -> of(config, member).stream()).findFirst();
  }

  /** Returns why a node must not speak with that member, and what to do; empty if it may. */
  public static Optional<String> of(StoreConfig config, Member member) {
    if (isAllowed(config) || isLoopback(member.host())) {
      return Optional.empty();
    }
    return Optional.of(
        "node %s would speak without TLS with %s at %s, which is not this machine: %s"
            .formatted(config.nodeId(), member.id(), member.address(), REMEDY));
  }

  private static boolean isAllowed(StoreConfig config) {
    return config.tls().isPresent() || config.insecureNetwork();
  }

  /** Then it cannot listen there, and says so itself. */
  private static boolean isUnknown(String host) {
    return addresses(host).isEmpty();
  }

  /** A name that nobody knows yet may come to stand for any address. */
  private static boolean isLoopback(String host) {
    List<InetAddress> addresses = addresses(host);
    return !addresses.isEmpty() && addresses.stream().allMatch(InetAddress::isLoopbackAddress);
  }

  private static List<InetAddress> addresses(String host) {
    try {
      return List.of(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      return List.of();
    }
  }
}
