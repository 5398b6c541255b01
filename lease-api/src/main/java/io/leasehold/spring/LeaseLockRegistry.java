package io.leasehold.spring;

import static java.util.Objects.requireNonNull;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A registry whose locks are leases: each excludes the threads of this process, as a {@code
 * ReentrantLock} does, and every other process, as a lease does. Safe for many threads.
 *
 * <p>Of two registries on one provider with the same name and owner in their settings either could
 * take what the other one holds, for to the provider they are one holder: have one of them, or give
 * them different owners.
 */
public final class LeaseLockRegistry
    implements RenewableLockRegistry<DistributedLock>, ExpirableLockRegistry<DistributedLock> {

  private final LeaseProvider leases;
  private final LeaseSettings settings;

  /** What threads of this process hold or wait for, by the names of the leases. */
  final ConcurrentHashMap<String, LocalLock> locals = new ConcurrentHashMap<>();

  /**
   * @param leases who is not closed with this registry
   * @param settings of the lease of each lock, whose name is this name with the lock's key after
   *     it. An acquire is tried as often as the lock's methods say, whatever {@link
   *     LeaseSettings#acquireRetries()} is
   */
  public LeaseLockRegistry(LeaseProvider leases, LeaseSettings settings) {
    this.leases = requireNonNull(leases, "leases");
    this.settings = requireNonNull(settings, "settings").withAcquireRetries(1);
  }

  /**
   * Returns the lock of a key; nothing is sent.
   *
   * @param lockKey a string
   * @throws InvalidLeaseArgumentException if it is no string, or cannot be part of a lease's name
   */
  @Override
  public FencedLock obtain(Object lockKey) {
    return new FencedLock(this, settings.withName(nameOf(lockKey)));
  }

  /**
   * Asks the store whether the lock is still held. That need not be done to keep it: a lease renews
   * itself.
   *
   * @throws IllegalMonitorStateException if this thread does not hold the lock
   * @throws IllegalStateException if the lock has been lost
   * @throws org.springframework.dao.DataAccessResourceFailureException if the store did not answer;
   *     the lock may still be held, see {@link FencedLock#checkAlive()}
   */
  @Override
  public void renewLock(Object lockKey) {
    heldByThisThread(nameOf(lockKey)).confirm();
  }

  /**
   * The same as {@link #renewLock(Object)}: a lock that is held keeps the ttl it was taken with,
   * and is held for as long as its holder lives.
   */
  @Override
  public void renewLock(Object lockKey, Duration ttl) {
    renewLock(lockKey);
  }

  /** Does nothing: a lock that is neither held nor waited for leaves nothing behind. */
  @Override
  public void expireUnusedOlderThan(long age) {}

  LeaseProvider leases() {
    return leases;
  }

  /** Returns the part in this process of the lock with this name, and keeps it until it is left. */
  LocalLock enter(String name) {
    return locals.compute(
        name,
        (key, present) -> {
          LocalLock local = present == null ? new LocalLock(key) : present;
          local.users++;
          return local;
        });
  }

  void leave(String name) {
    locals.computeIfPresent(name, (key, local) -> --local.users == 0 ? null : local);
  }

  Optional<LocalLock> find(String name) {
    return Optional.ofNullable(locals.get(name));
  }

  LocalLock heldByThisThread(String name) {
    return find(name)
        .filter(LocalLock::isHeldByThisThread)
        .orElseThrow(
            () ->
                new IllegalMonitorStateException("Lock '" + name + "' is not held by this thread"));
  }

  private String nameOf(Object lockKey) {
    if (lockKey instanceof String key) {
      return settings.name() + key;
    }
    throw new InvalidLeaseArgumentException("lockKey", "must be a string: " + lockKey);
  }

  @Override
  public String toString() {
    return "LeaseLockRegistry[" + settings.name() + ", " + settings.owner() + "]";
  }
}
