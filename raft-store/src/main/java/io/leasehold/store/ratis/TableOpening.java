package io.leasehold.store.ratis;

import io.leasehold.store.StoreStartException;
import io.leasehold.store.codec.RowCodec;
import io.leasehold.store.rocks.RocksLeaseTable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a member comes to its table at a start, or after the leader's snapshot was installed: the one
 * that is there if it has what the newest snapshot has, else that snapshot.
 */
record TableOpening(NodeFolder folder, SnapshotFiles snapshots) {

  private static final Logger LOG = LoggerFactory.getLogger(TableOpening.class);

  /**
   * Opens it.
   *
   * @throws StoreStartException if it lacks something that this member has promised to have
   */
  RocksLeaseTable open() throws IOException {
    Optional<TermIndex> snapshot = snapshots.latest();
    if (snapshot.isEmpty()) {
      folder.requireWholeLog();
    }
    boolean missing = !Files.exists(folder.table());
    RocksLeaseTable opened = null;
    if (!missing || snapshot.isEmpty()) {
      opened = RocksLeaseTable.open(folder.table());
      if (snapshot.isPresent() && opened.appliedIndex() < snapshot.get().getIndex()) {
        opened.close();
        opened = null;
      }
    }
    if (opened == null) {
      snapshots.install(folder.table());
      opened = RocksLeaseTable.open(folder.table());
      LOG.info("table restored from the snapshot at index {}", opened.appliedIndex());
    }
    try {
      requireUpToDate(opened, snapshot.map(TermIndex::getIndex).orElse(-1L));
      snapshotOf(opened, snapshot.map(TermIndex::getIndex).orElse(0L));
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
    return opened;
  }

  /** So that a start need not read again what the table has, which is most of the log. */
  private void snapshotOf(RocksLeaseTable opened, long snapshotIndex) throws IOException {
    if (opened.appliedIndex() - snapshotIndex > RocksLeaseTable.ENTRIES_PER_FLUSH) {
      RowCodec.Applied at = opened.checkpoint(snapshots.begin());
      snapshots.publish(TermIndex.valueOf(at.term(), at.index()));
    }
  }

  /** A table that lacks something would grant again what is held. */
  private void requireUpToDate(RocksLeaseTable opened, long snapshotIndex) throws IOException {
    if (opened.appliedIndex() < snapshotIndex) {
      throw new StoreStartException(
          "the snapshot of entry %d in %s is damaged, it only has what there was at entry %d: %s"
              .formatted(snapshotIndex, folder.raft(), opened.appliedIndex(), StartFailures.LOST),
          null);
    }
    folder.requireLogUpTo(opened.appliedIndex(), snapshotIndex);
  }
}
