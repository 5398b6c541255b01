package io.leasehold.pekko;

import static java.util.Objects.requireNonNull;

import io.leasehold.LeaseProvider;
import org.apache.pekko.actor.setup.Setup;

/**
 * Hands the application's leases to an actor system, which is created with it. The system does not
 * close the provider. Immutable.
 *
 * <pre>{@code
 * ActorSystem.create("shop", BootstrapSetup.create(config).and(LeaseholdSetup.of(leases)));
 * }</pre>
 */
public final class LeaseholdSetup extends Setup {

  private final LeaseProvider leases;

  private LeaseholdSetup(LeaseProvider leases) {
    this.leases = leases;
  }

  /**
   * Returns a setup with which Pekko's leases are those of a provider.
   *
   * @param leases one session with the store: a node's own, open for as long as its actor system
   *     lives
   */
  public static LeaseholdSetup of(LeaseProvider leases) {
    return new LeaseholdSetup(requireNonNull(leases, "leases"));
  }

  LeaseProvider leases() {
    return leases;
  }
}
