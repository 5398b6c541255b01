package io.leasehold.kubernetes;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.leasehold.LeaseProvider;
import io.leasehold.holder.StoreLeases;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Leases in Kubernetes' {@code coordination.k8s.io/v1} objects, so that an application which runs
 * there can begin with them, or move from them. Needs {@code io.fabric8:kubernetes-client}, which
 * is an optional dependency, and the verbs {@code get}, {@code create} and {@code update} on {@code
 * leases}. Safe for many threads.
 *
 * <pre>{@code
 * try (KubernetesClient client = new KubernetesClientBuilder().build();
 *     LeaseProvider leases = KubernetesLeases.on(client, "default")) {
 *   Lease lease = leases.lease(LeaseSettings.of("printer", "pod-7", Duration.ofSeconds(15)));
 *   …
 * }
 * }</pre>
 *
 * <p>Each lease is one object, written as client-go's leader election does, under the lease's name
 * if Kubernetes allows that, and else under a hash of it with the name in an annotation. It stays
 * when the lease is released. Every write is bound to the version that was read. A lease has
 * expired for a process that has seen its object unchanged for the time to live by its own
 * monotonic clock; wall clocks are written for people and never compared. The local deadline counts
 * from the sending of the renewal that was acknowledged last, less a fifth of the time to live, on
 * {@link System#nanoTime()}. Requests block threads named {@code lease-kubernetes}; the client's
 * request timeout should be below a third of the time to live.
 *
 * <p>Of the contract's rules these do not hold:
 *
 * <ul>
 *   <li>The fencing token is the object's {@code leaseTransitions}: it grows with each grant of the
 *       lease, and not in the whole store (R6). It begins again when the object is deleted, so do
 *       not delete it.
 *   <li>Times to live are whole seconds: rounded up for the others, the holder counts what was
 *       asked for. A process that first looks at a lease waits a whole time to live from then on
 *       before it takes over, and looks each fifth of it, or every 5 s.
 *   <li>Waiters are not served in order (R36), and have no place in a queue that could be lost
 *       (R61) or seen; a release is noticed when they look again (R35).
 *   <li>A renewal for each hold instead of one for the node, and one request for each in the end.
 *   <li>There is no reclaim (R71 to R74): settings that ask for it are refused.
 *   <li>There is no inspector (R75 to R86): {@code kubectl get leases} shows the holds. An object
 *       whose holder is removed by hand is free at once, unsafely: the former holder hears of it
 *       with its next renewal, as {@link io.leasehold.LeaseLost.Reason#REVOKED}.
 *   <li>A suspend of the whole machine is not noticed by the local deadline: only the fencing token
 *       excludes the old holder then.
 * </ul>
 */
public final class KubernetesLeases {

  private KubernetesLeases() {}

  /**
   * Returns a provider.
   *
   * @param client stays the caller's, who closes it after the provider
   * @param namespace where the objects are; processes exclude each other if they have the same
   */
  public static LeaseProvider on(KubernetesClient client, String namespace) {
    requireNonNull(client, "client");
    requireNonNull(namespace, "namespace");
    ExecutorService executor = Executors.newCachedThreadPool(KubernetesLeases::newThread);
    KubernetesStore store =
        new KubernetesStore(client, namespace, new Observations(System::nanoTime), executor);
    return StoreLeases.inRealTime(store, executor::shutdownNow);
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "lease-kubernetes");
    thread.setDaemon(true);
    return thread;
  }
}
