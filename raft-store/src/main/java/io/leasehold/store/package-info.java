/**
 * The replicated table of leases. For users are the values that a node is configured with and tells
 * of: {@link io.leasehold.store.Member}, {@link io.leasehold.store.StoreConfig}, {@link
 * io.leasehold.store.StoreStatus}, {@link io.leasehold.store.TableDigest}, {@link
 * io.leasehold.store.BackupContents} and {@link io.leasehold.store.StoreStartException}; and {@link
 * io.leasehold.store.StoreNode#restore}. The rest, and the packages below this one, is what the
 * module lease-raft is built on, and may change in every version.
 */
@NullMarked
package io.leasehold.store;

import org.jspecify.annotations.NullMarked;
