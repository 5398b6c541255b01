/** Leases in etcd: {@link io.leasehold.etcd.EtcdLeases}. */
@NullMarked
package io.leasehold.etcd;

import org.jspecify.annotations.NullMarked;
