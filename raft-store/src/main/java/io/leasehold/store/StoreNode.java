package io.leasehold.store;

import io.leasehold.Subscription;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.ratis.BackupFile;
import io.leasehold.store.ratis.Replica;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CompletionStage;

/**
 * One replica of the store, embedded in this process: the way into this module. Safe for many
 * threads.
 *
 * <pre>{@code
 * try (StoreNode node = StoreNode.start(StoreConfig.of("orders", "n1", members, folder))) {
 *   node.propose(batch, 0).thenAccept(reply -> …);
 * }
 * }</pre>
 */
public final class StoreNode implements LeaseStore, AutoCloseable {

  private final Replica replica;

  private StoreNode(Replica replica) {
    this.replica = replica;
  }

  /**
   * Starts this node's replica. When it returns, the node takes part in the group, or looks for it:
   * a new cluster begins when all members that it was started with have been up at once, and from
   * then on a majority has to be up for there to be a leader. {@link #status} says what a node
   * waits for.
   *
   * @throws StoreStartException if it cannot; the message says why and what to do
   */
  public static StoreNode start(StoreConfig config) {
    return new StoreNode(Replica.start(config, System::nanoTime, Clock.systemUTC()));
  }

  @Override
  public String node() {
    return replica.node();
  }

  @Override
  public CompletionStage<BatchReply> propose(Batch batch, int attempt) {
    return replica.propose(batch, attempt);
  }

  @Override
  public Subscription watch(Watcher watcher) {
    return replica.watch(watcher);
  }

  @Override
  public CompletionStage<Reading> readAt(long index) {
    return replica.readAt(index);
  }

  @Override
  public StoreStatus status() {
    return replica.status();
  }

  @Override
  public long refused(PeerRefusal kind) {
    return replica.refused(kind);
  }

  @Override
  public StoreFigures figures() {
    return replica.figures();
  }

  @Override
  public CompletionStage<Boolean> transferLeadership(String to) {
    return replica.transferLeadership(to);
  }

  @Override
  public CompletionStage<Void> addMember(Member member) {
    return replica.addMember(member);
  }

  @Override
  public CompletionStage<Void> removeMember(String id) {
    return replica.removeMember(id);
  }

  @Override
  public CompletionStage<Long> snapshot() {
    return replica.snapshot();
  }

  @Override
  public CompletionStage<TableDigest> digestAt(long index) {
    return replica.digestAt(index);
  }

  @Override
  public CompletionStage<Long> backup(Path file) {
    return replica.backup(file);
  }

  /**
   * Makes the folder of one member of a new cluster that begins with a backup. To be called for
   * each of its members, with the same file, before any is started.
   *
   * <p>Tokens of the new cluster are greater than all that the old one granted until now, if the
   * clocks of who made the backup and of this machine are not a day apart. Every hold and every
   * session has its whole time to live from the moment at which the new cluster has a leader. The
   * old cluster must not run any more: nothing tells its holders. A member of which this is done
   * again once the new one has begun is a new node to the others, who have to add it.
   *
   * @param config of the member. Its cluster must have another name than that of the backup, its
   *     folder has to be empty
   * @return what the new cluster begins with
   * @throws StoreStartException if it cannot be made; the message says why and what to do, and the
   *     folder is as empty as before
   */
  public static BackupContents restore(Path backup, StoreConfig config) {
    return new BackupFile(backup).restore(config, Clock.systemUTC());
  }

  /**
   * Hands the leadership over if this node has it, then stops. Takes a few seconds at most, also
   * without a quorum; no thread is left. Idempotent.
   */
  @Override
  public void close() {
    replica.close();
  }
}
