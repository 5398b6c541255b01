package io.leasehold;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Hands out leases to one process, and is that process' one session with the store. Safe for many
 * threads.
 *
 * <p>Implementations: {@link io.leasehold.memory.InMemoryLeases} for tests and single processes,
 * {@code RaftLeases} of the module lease-raft for clusters; for applications that move from one
 * store to another, {@code io.leasehold.etcd.EtcdLeases} and {@code
 * io.leasehold.kubernetes.KubernetesLeases}, which do not keep every rule and say which.
 */
public interface LeaseProvider extends AutoCloseable {

  /**
   * Returns a handle for a lease; nothing is sent. Handles with the same name and owner share one
   * hold; their other settings apply to the acquisitions made through them.
   *
   * @throws IllegalArgumentException when {@code settings} is null
   * @throws IllegalStateException when this provider is closed
   */
  Lease lease(LeaseSettings settings);

  /** Returns the view for observers and operators. */
  LeaseInspector inspector();

  /**
   * Has work under leases of this provider stop before {@link #close()} gives them up: first it
   * runs every action, then it waits for what they return, at most for the longest time to live
   * that was asked for. What an action throws, or its stage fails with, is logged.
   *
   * @param stop begins to stop the work, and must not block; its stage completes when nothing of it
   *     runs any more
   * @return ends the registration
   */
  Subscription beforeClose(Supplier<? extends CompletionStage<?>> stop);

  /**
   * Shuts down in order: the work that {@link #beforeClose} knows of is stopped, then no new
   * acquires (they fail with {@link LeaseUnavailableException}), all leases of this process
   * released together, then everything this provider started is stopped. Returns within a bounded
   * time, also without a quorum; then the holds that could not be released are lost with {@link
   * LeaseLost.Reason#CLOSED} and run out in the store. An interrupt that is pending does not
   * shorten it, and is kept. Idempotent; throws nothing.
   */
  @Override
  void close();
}
