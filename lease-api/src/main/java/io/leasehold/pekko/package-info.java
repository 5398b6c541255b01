/**
 * Leases for <a href="https://pekko.apache.org">Apache Pekko</a>: what its cluster singletons, its
 * shards, its split brain resolver and your own actors get from Pekko's {@code LeaseProvider} are
 * then leases of an {@link io.leasehold.LeaseProvider}. {@code pekko-coordination} comes with your
 * application.
 *
 * <p>Create the actor system with the provider, and close the provider when the cluster has shut
 * down:
 *
 * <pre>{@code
 * ActorSystem system =
 *     ActorSystem.create("shop", BootstrapSetup.create(config).and(LeaseholdSetup.of(leases)));
 * CoordinatedShutdown.get(system)
 *     .addTask(
 *         CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
 *         "close-leases",
 *         () ->
 *             CompletableFuture.supplyAsync(
 *                 () -> {
 *                   leases.close();
 *                   return Done.getInstance();
 *                 }));
 * }</pre>
 *
 * <p>Then name the path {@code leasehold.pekko}, which this library's {@code reference.conf}
 * defines, or one of your own that is based on it:
 *
 * <pre>{@code
 * pekko.cluster.singleton.use-lease = singleton-lease
 * pekko.cluster.sharding.use-lease = leasehold.pekko
 * pekko.cluster.split-brain-resolver {
 *   active-strategy = lease-majority
 *   lease-majority.lease-implementation = leasehold.pekko
 * }
 * singleton-lease = ${leasehold.pekko} { heartbeat-timeout = 20s, heartbeat-interval = 5s }
 * }</pre>
 *
 * <p><b>Times.</b> The time to live is {@code heartbeat-timeout} (100 ms to 24 h; Pekko's default
 * is 120 s): as long is a lease out of everybody's reach when its node dies. The renewal interval
 * is {@code heartbeat-interval}, less than half of it. {@code lease-operation-timeout} limits an
 * acquire and a release; {@code acquire-wait}, a key of ours, says how much of it an acquire may
 * wait in line, so that a hand-over takes as long as the release and not until Pekko asks again.
 *
 * <p><b>Names.</b> Pekko's are taken as they are. Lease names over 512 bytes and owner names over
 * 256 bytes of UTF-8, and any with control characters, are refused when the lease is asked for.
 *
 * <p><b>Restarts.</b> Pekko's owners are named after their node's host and port, and a lease of
 * Pekko's is one owner's, not one process': a node that died and is back has its leases at once.
 * That is {@code reclaim}, a key of ours that is on. A process keeps its port bound while it is
 * paused, so no other one comes up with its address on the same machine. Turn it off where an
 * address may move to another machine while its former process is merely paused or cut off: until
 * that one notices, both would believe that they hold, and only fencing tokens tell them apart.
 *
 * <p><b>Fencing tokens.</b> Pekko's interface has none. A handle for the same name and owner shows
 * the same hold: {@code leases.lease(LeaseSettings.of(name, owner, ttl)).fencingToken()}, where the
 * owner is {@code Cluster.get(system).selfAddress().hostPort()}, and the name {@code
 * "shop-singleton-pekko://shop/user/orders"} for the singleton of the manager {@code orders}.
 *
 * <p><b>Ending.</b> Coordinated shutdown waits for the releases that Pekko has asked for; what an
 * actor system still holds when it has ended is released, should the provider live on. Do not have
 * the provider closed by a shutdown hook of its own: it would run beside Pekko's, while actors
 * still rely on their leases. A split brain resolver that has decided keeps its lease when it
 * stops, so that no other side gets it before the time to live is over; closing the provider frees
 * this one, too.
 */
@NullMarked
package io.leasehold.pekko;

import org.jspecify.annotations.NullMarked;
