package io.leasehold.store;

import io.leasehold.Subscription;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Event;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What a node may ask of the replica it embeds. Safe for many threads. Stages complete, and
 * watchers are called, on the store's own threads: neither may block there.
 */
public interface LeaseStore {

  /** Returns the name of this node. */
  String node();

  /**
   * Makes one attempt to have a batch committed and applied.
   *
   * <p>The attempt may hang for ever if the member it went to is cut off: whoever calls has to
   * limit it in time, and may hand the same batch over again meanwhile; whichever copy is applied
   * first counts.
   *
   * @param batch its sequence makes it safe to repeat
   * @param attempt 0 for the first; each further number prefers another member over the ones tried
   *     before, until the leader is known anew
   * @return completes with the reply when some replica has applied the batch; fails with {@link
   *     ProposeException}
   */
  CompletionStage<BatchReply> propose(Batch batch, int attempt);

  /**
   * Tells of everything that this replica applies from now on, in log order. The watcher is called
   * on the thread that applies and must return at once.
   */
  Subscription watch(Watcher watcher);

  /**
   * Reads this replica's table once it has applied the log up to an index.
   *
   * @return completes with a view of the table; fails with {@link ProposeException} when the
   *     replica stops or is too far behind to get there within its read timeout
   */
  CompletionStage<Reading> readAt(long index);

  /** Returns what this replica knows of itself and the group. */
  StoreStatus status();

  /** Returns what this replica measures of itself; never waits for its disk. */
  StoreFigures figures();

  /**
   * How often this node has refused something of a kind since its start: calls to its port from
   * others than members, and members that it called and that could not show who they are.
   */
  default long refused(PeerRefusal kind) {
    return 0; // a store that nobody can reach
  }

  /**
   * Asks whichever member leads to hand the leadership over. Takes a few seconds at most, during
   * which batches may be refused.
   *
   * @param to the member that is to lead
   * @return completes with whether it leads now; fails with {@link ProposeException} when nothing
   *     was tried, because no leader is known or that member does not answer
   * @throws io.leasehold.InvalidLeaseArgumentException if it is none of the members
   */
  CompletionStage<Boolean> transferLeadership(String to);

  /**
   * Takes a node into the group, which runs and has an empty folder: a new member, or one in the
   * place of a member of that name whose folder is lost. It is sent all that the others have and
   * counts from then on, unless it was started as a listener. Without effect for a member.
   *
   * @param member its name, and where the others reach it
   * @return completes when it is a member, here too; fails with {@link ProposeException}, whose
   *     message says what to do, and then nothing has changed unless it says so
   */
  CompletionStage<Void> addMember(Member member);

  /**
   * Takes a member out of the group; if it leads, another one does first. Its node serves nobody
   * any more, and its leases expire.
   *
   * @return completes when it is none any more; fails with {@link ProposeException}, also when the
   *     others could not decide anything without it
   * @throws io.leasehold.InvalidLeaseArgumentException if it is none, or the last one that votes
   */
  CompletionStage<Void> removeMember(String id);

  /**
   * Takes a snapshot of this replica's table now, so that its log up to there may be dropped.
   *
   * @return completes with the index of the last entry in the newest snapshot, which is an older
   *     one if nothing has been applied since; fails with {@link ProposeException} if there is none
   *     after a few seconds
   */
  CompletionStage<Long> snapshot();

  /**
   * Returns a digest of everything in this replica's table as one entry has left it: what the same
   * entry has left elsewhere must have the same. Reads all rows, on a thread of its own.
   *
   * @param index of the entry; if more has been applied already, the digest is of that and says so
   * @return fails with {@link ProposeException} if the replica does not get there in time, or
   *     cannot be read
   */
  CompletionStage<TableDigest> digestAt(long index);

  /**
   * Writes all that this replica holds into a file, from which {@link StoreNode#restore} makes a
   * new cluster.
   *
   * @param file which must not be there yet; it is, whole and on disk, when this completes
   * @return completes with the index of the last entry in it; fails with {@link ProposeException}
   */
  CompletionStage<Long> backup(Path file);

  /** Is told what a replica applies. */
  interface Watcher {

    /** The events of one entry; called only when there are any. */
    void applied(long index, List<Event> events);

    /**
     * The table has been replaced by a snapshot: whatever was between is in it, not told one by
     * one.
     */
    void replaced(long index);

    /** Leadership has changed as far as this replica knows; empty when no leader is known. */
    default void leaderChanged(Optional<String> leader) {}

    /**
     * This replica has stopped for good: it applies nothing any more and refuses every batch. On
     * any thread.
     *
     * @param why with what to do about it
     */
    default void stopped(String why) {}
  }

  /**
   * The table of a replica that has applied what it was asked for, and perhaps more since. Its
   * methods read then and there, on the caller's thread, each at a moment of its own.
   */
  interface Reading {

    /** Returns every lease that is held, in the order of their names. */
    Moment all();

    /** Returns one lease; none when it is free. */
    Moment find(String name);
  }

  /**
   * What was held right after one entry.
   *
   * @param index of that entry: the events up to it are in here, and those after it are not
   */
  record Moment(long index, List<LeaseReading> leases) {

    public Moment {
      leases = List.copyOf(leases);
    }
  }
}
