package io.leasehold.harness.http;

import io.leasehold.raft.NodeHealth;
import io.leasehold.store.Member;
import io.leasehold.store.StoreStatus;
import io.leasehold.store.TableDigest;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;

/** This node's member of the store, as those who operate it see it. Safe for many threads. */
public interface MemberControl {

  /** What it says of itself; returns at once. */
  StoreStatus status();

  /** Whether it can serve now; never fails. */
  CompletionStage<NodeHealth> health();

  /** Has the leadership handed over to a member; completes with whether that one leads now. */
  CompletionStage<Boolean> transferLeadership(String to);

  /** Takes a node into the group. */
  CompletionStage<Void> addMember(Member added);

  /** Takes a member out of it. */
  CompletionStage<Void> removeMember(String id);

  /** Has this member take a snapshot; completes with the newest one's index. */
  CompletionStage<Long> snapshot();

  /**
   * Has this member write a backup.
   *
   * @param file which is not there yet
   */
  CompletionStage<Long> backup(Path file);

  /** What its replica amounts to after an entry, or now if it is further. */
  CompletionStage<TableDigest> digestAt(long index);
}
