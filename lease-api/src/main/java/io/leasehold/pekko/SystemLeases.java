package io.leasehold.pekko;

import io.leasehold.Lease;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.ConfigurationException;
import org.apache.pekko.Done;
import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;

/**
 * What one actor system has of the application's leases. Its coordinated shutdown waits for the
 * releases that Pekko has asked for, and what is still held when it has ended is released. Safe for
 * many threads.
 */
final class SystemLeases implements Extension {

  private static final Id ID = new Id();

  private final LeaseProvider leases;
  private final Set<PekkoLease> used = ConcurrentHashMap.newKeySet();

  private SystemLeases(LeaseProvider leases) {
    this.leases = leases;
  }

  static SystemLeases of(ActorSystem system) {
    return ID.get(system);
  }

  Lease lease(LeaseSettings settings) {
    return leases.lease(settings);
  }

  /** A lease is about to be acquired. */
  void use(PekkoLease lease) {
    used.add(lease);
  }

  /**
   * Neither a cluster singleton nor a shard waits for its own release: a process that ends then
   * would leave the next owner waiting for the time to live.
   */
  private CompletionStage<Done> awaitReleases() {
    return CompletableFuture.allOf(
            used.stream()
                .map(lease -> lease.lastRelease().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new))
        .handle((released, failure) -> Done.getInstance());
  }

  /** The provider may live on, and would renew for ever what no actor has any more. */
  private void end() {
    used.forEach(PekkoLease::end);
  }

  private static final class Id extends AbstractExtensionId<SystemLeases> {

    @Override
    public SystemLeases createExtension(ExtendedActorSystem system) {
      LeaseProvider leases =
          system
              .settings()
              .setup()
              .get(LeaseholdSetup.class)
              .map(LeaseholdSetup::leases)
              .orElseThrow(
                  () ->
                      new ConfigurationException(
                          "Create the ActorSystem with LeaseholdSetup.of(leases), which says whose"
                              + " leases Pekko is to use"));
      SystemLeases made = new SystemLeases(leases);
      CoordinatedShutdown.get(system)
          .addTask(
              CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
              "await-lease-releases",
              made::awaitReleases);
      system.registerOnTermination(made::end);
      return made;
    }
  }
}
