/**
 * A lease as a {@link java.util.concurrent.locks.Lock}, for code that is written against one.
 *
 * <pre>{@code
 * LeaseLock lock = new LeaseLock(leases.lease(settings)); // one for the lease, shared by all threads
 * FencedFile report = new FencedFile(path);
 *
 * lock.lock();
 * try {
 *   report.write(lock.fencingToken(), data);
 * } finally {
 *   lock.unlock(); // throws LockLostException if the lease did not last until here
 * }
 * }</pre>
 *
 * <p>A lock that is lost while its holder is at work is what sets it apart from a lock of Java's:
 * read {@link io.leasehold.Lease#checkAlive()} and {@link io.leasehold.fencing}.
 */
@NullMarked
package io.leasehold.lock;

import org.jspecify.annotations.NullMarked;
