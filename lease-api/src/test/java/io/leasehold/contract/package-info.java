/**
 * The contract of leases as tests that any backend can be put to: extend {@link
 * io.leasehold.contract.LeaseContract} and supply a {@link io.leasehold.contract.ContractCluster}.
 * The rules' numbers are those of {@code docs/CONTRACT.md}.
 */
@NullMarked
package io.leasehold.contract;

import org.jspecify.annotations.NullMarked;
