/**
 * The other half of a lease: resources that compare fencing tokens. Between {@link
 * io.leasehold.Lease#checkAlive()} and a write any pause may fall, so a holder that has stood still
 * writes after its successor. A resource that has seen the successor's token, which is greater,
 * refuses that write.
 *
 * <p>The comparison must be one step with the write: whoever compares first and writes then can be
 * paused between the two. Each class here does that for one kind of resource: {@link
 * io.leasehold.fencing.FencingGate} for what one process serves, {@link
 * io.leasehold.fencing.FencedFile} for a file, {@link io.leasehold.fencing.FencingTable} for
 * transactions of a database. Where all that is written is one row, the row can keep the token, and
 * one statement does it:
 *
 * <pre>{@code
 * update account set balance = ?, fencing_token = ? where id = ? and fencing_token <= ?
 * }</pre>
 *
 * <p>No row updated means: refused. An object store with conditional writes can do the same.
 *
 * <p>A token is that of one lease: resources that several leases guard need a gate for each.
 */
@NullMarked
package io.leasehold.fencing;

import org.jspecify.annotations.NullMarked;
