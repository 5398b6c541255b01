/**
 * The table on disk. {@link io.leasehold.store.rocks.RocksLeaseTable} is what the applying thread
 * reads and writes, {@link io.leasehold.store.rocks.TableReader} what any other thread may read. No
 * type of RocksDB leaves this package, nor any exception of it.
 */
@NullMarked
package io.leasehold.store.rocks;

import org.jspecify.annotations.NullMarked;
