package io.leasehold.etcd;

import static java.util.Objects.requireNonNull;

import io.etcd.jetcd.Client;
import io.leasehold.LeaseProvider;
import io.leasehold.holder.StoreLeases;

/**
 * Leases in etcd, so that an application which has one can begin with it, or move from it. Needs
 * {@code io.etcd:jetcd-core}, which is an optional dependency. Safe for many threads.
 *
 * <pre>{@code
 * try (Client client = Client.builder().endpoints("http://127.0.0.1:2379").build();
 *     LeaseProvider leases = EtcdLeases.on(client)) {
 *   Lease lease = leases.lease(LeaseSettings.of("printer", "pod-7", Duration.ofSeconds(10)));
 *   …
 * }
 * }</pre>
 *
 * <p>Each hold is one key, {@code leasehold/printer}, with the owner as its value, written only if
 * there is none and attached to an etcd lease of its own. The fencing token is the key's create
 * revision, so it grows in the whole store; it is etcd's revision and thus lower than tokens of
 * {@code RaftLeases}. The local deadline counts from the sending of the renewal that was
 * acknowledged last, less a fifth of the time to live, on {@link System#nanoTime()}.
 *
 * <p>Of the contract's rules these do not hold:
 *
 * <ul>
 *   <li>Times to live are whole seconds in etcd, and have a minimum there (2 s by default): the
 *       store lets go that much later than was asked for. The holder counts what was asked for.
 *   <li>Waiters are not served in order (R36), and have no place in a queue that could be lost
 *       (R61) or seen: each watches the key, and asks when it is deleted.
 *   <li>A renewal for each hold instead of one for the node, and one request for each in the end:
 *       only an etcd lease of its own gives each hold its ttl, and frees no more than it.
 *   <li>There is no reclaim (R71 to R74): settings that ask for it are refused.
 *   <li>There is no inspector (R75 to R86): {@code etcdctl get --prefix leasehold/} shows the
 *       holds, and {@code etcdctl del leasehold/printer} frees one at once, unsafely: its holder
 *       hears of it with its next renewal, as {@link io.leasehold.LeaseLost.Reason#REVOKED}.
 *   <li>A suspend of the whole machine is not noticed by the local deadline: only the fencing token
 *       excludes the old holder then.
 * </ul>
 */
public final class EtcdLeases {

  private static final String PREFIX = "leasehold/";

  private EtcdLeases() {}

  /**
   * Returns a provider whose keys begin with {@code leasehold/}.
   *
   * @param client stays the caller's, who closes it after the provider
   */
  public static LeaseProvider on(Client client) {
    return on(client, PREFIX);
  }

  /**
   * Returns a provider.
   *
   * @param client stays the caller's, who closes it after the provider
   * @param prefix what the keys begin with; processes exclude each other if they have the same
   */
  public static LeaseProvider on(Client client, String prefix) {
    requireNonNull(client, "client");
    requireNonNull(prefix, "prefix");
    return StoreLeases.inRealTime(new EtcdStore(client, prefix), () -> {});
  }
}
