package io.leasehold.pekko;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.leasehold.LeaseProvider;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.coordination.lease.javadsl.Lease;

/**
 * An actor system with a provider's leases. {@link #shutDown} ends it in order; closing it ends it
 * as it is.
 */
final class PekkoNode implements AutoCloseable {

  private static final Config QUIET =
      ConfigFactory.parseString(
          """
          pekko.stdout-loglevel = OFF
          pekko.loglevel = OFF
          pekko.coordinated-shutdown {
            run-by-jvm-shutdown-hook = off
            run-by-actor-system-terminate = off
            default-phase-timeout = 1m
          }
          leasehold.pekko.lease-operation-timeout = 1m
          """);

  private final ActorSystem system;

  private PekkoNode(ActorSystem system) {
    this.system = system;
  }

  static PekkoNode start(LeaseProvider leases, String config) {
    return new PekkoNode(
        ActorSystem.create(
            "shop", BootstrapSetup.create(quiet(config)).and(LeaseholdSetup.of(leases))));
  }

  /**
   * Returns a configuration under which Pekko neither logs nor ends by itself, and has patience.
   */
  static Config quiet(String config) {
    return ConfigFactory.parseString(config).withFallback(QUIET).withFallback(ConfigFactory.load());
  }

  ActorSystem system() {
    return system;
  }

  Lease lease(String name, String owner) {
    return lease(name, "leasehold.pekko", owner);
  }

  Lease lease(String name, String path, String owner) {
    return org.apache.pekko.coordination.lease.javadsl.LeaseProvider.get(system)
        .getLease(name, path, owner);
  }

  /** Leaves the cluster, if there is one, and ends. */
  CompletionStage<Done> shutDown() {
    return CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.unknownReason());
  }

  @Override
  public void close() {
    system.terminate();
    Terminated unusedEnd =
        system.getWhenTerminated().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }
}
