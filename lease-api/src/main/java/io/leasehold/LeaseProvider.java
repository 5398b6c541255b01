package io.leasehold;

/**
 * Hands out leases to one process, and is that process' one session with the store. Safe for many
 * threads.
 *
 * <p>Implementations: {@link io.leasehold.memory.InMemoryLeases} for tests and single processes,
 * {@code RaftLeases} of the module lease-raft for clusters.
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
   * Shuts down in order: no new acquires (they fail with {@link LeaseUnavailableException}), all
   * leases of this process released together, then everything this provider started is stopped.
   * Returns within a bounded time, also without a quorum; then the holds that could not be released
   * are lost with {@link LeaseLost.Reason#CLOSED} and run out in the store. An interrupt that is
   * pending does not shorten it, and is kept. Idempotent; throws nothing.
   */
  @Override
  void close();
}
