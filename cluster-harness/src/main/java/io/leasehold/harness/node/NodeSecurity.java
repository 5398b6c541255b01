package io.leasehold.harness.node;

import io.leasehold.store.StoreConfig;
import io.leasehold.store.TlsFiles;
import java.util.Optional;

/**
 * Who may reach a node.
 *
 * @param tls how the members speak with each other; empty for in the clear
 * @param insecureNetwork whether they may do so in the clear on other addresses than loopback ones
 * @param httpToken what has to be known to change anything over HTTP; empty where everybody may
 */
public record NodeSecurity(
    Optional<TlsFiles> tls, boolean insecureNetwork, Optional<String> httpToken) {

  /** Everybody on this machine, and nobody else. */
  public static final NodeSecurity LOOPBACK =
      new NodeSecurity(Optional.empty(), false, Optional.empty());

  StoreConfig applyTo(StoreConfig config) {
    StoreConfig open = insecureNetwork ? config.withInsecureNetwork() : config;
    return tls.map(open::withTls).orElse(open);
  }
}
