package io.leasehold.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.core.Change;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Holder;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.Waiter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** What is kept back is what the table has, and no more of it is written than there has to be. */
final class UnwrittenTest {

  private static final SessionId ID = new SessionId(1, 2);
  private static final Holder HOLDER = new Holder(ID, "n1", "a");
  private static final Session SESSION = new Session(ID, "n1", 30, 1, 100, 1, 0, false);
  private static final HeldLease PRINTER = lease(List.of());
  private static final Claim CLAIM = new Claim(ID, 1_000, "printer", 1);

  @TempDir Path folder;

  private final Unwritten unwritten = new Unwritten();

  @Test
  void whatHasNotChangedIsRead() {
    assertThat(unwritten.lease("printer", name -> Optional.of(PRINTER))).contains(PRINTER);
    assertThat(unwritten.session(ID, id -> Optional.of(SESSION))).contains(SESSION);
    assertThat(unwritten.news(ID, id -> Optional.empty())).isEmpty();
  }

  @Test
  void whatHasChangedIsNotRead() {
    add(Set.of(), new Change.PutLease(PRINTER), new Change.PutSession(SESSION));
    assertThat(unwritten.lease("printer", name -> Optional.empty())).contains(PRINTER);
    assertThat(unwritten.session(ID, id -> Optional.empty())).contains(SESSION);

    add(Set.of(), new Change.RemoveLease("printer"), new Change.RemoveSession(ID));
    assertThat(unwritten.lease("printer", name -> Optional.of(PRINTER))).isEmpty();
    assertThat(unwritten.session(ID, id -> Optional.of(SESSION))).isEmpty();
    assertThat(unwritten.lastReply(ID, id -> Optional.empty())).isEmpty();
  }

  @Test
  void newsThatWereToldAreGone() {
    Event event = new Event.Expired("printer", HOLDER, 7);
    add(Set.of(), new Change.PutNews(ID, List.of(event)));
    assertThat(unwritten.news(ID, id -> Optional.empty())).contains(List.of(event));

    add(Set.of(), new Change.PutNews(ID, List.of()));
    assertThat(unwritten.news(ID, id -> Optional.of(List.of(event)))).isEmpty();
  }

  @Test
  void aLeaseThatComesAndGoesIsNotWrittenAtAll() throws Exception {
    add(Set.of("printer"), new Change.PutLease(PRINTER), new Change.PutClaim(CLAIM));
    assertThat(unwritten.weight()).isEqualTo(2);

    add(Set.of(), new Change.RemoveLease("printer"), new Change.RemoveClaim(CLAIM));
    assertThat(unwritten.weight()).isZero();
    assertThat(rowsWritten()).isZero();
  }

  @Test
  void aLeaseThatMayBeOnDiskIsRemovedThere() throws Exception {
    add(Set.of(), new Change.RemoveLease("printer"), new Change.RemoveClaim(CLAIM));
    assertThat(rowsWritten()).isEqualTo(2);

    // And also when it has come back meanwhile and gone again, known to be free in between.
    add(Set.of("printer"), new Change.PutLease(PRINTER), new Change.PutClaim(CLAIM));
    add(Set.of(), new Change.RemoveLease("printer"), new Change.RemoveClaim(CLAIM));
    assertThat(rowsWritten()).isEqualTo(2);
  }

  @Test
  void aClaimOfAWaiterThatIsGrantedIsRemovedInTheEnd() throws Exception {
    put(KeyLayout.claim(CLAIM)); // it has waited since before the last writing
    add(Set.of(), new Change.PutClaim(CLAIM));
    add(Set.of(), new Change.RemoveClaim(CLAIM));

    try (Database database = Database.open(folder)) {
      database.write(unwritten::fill);
      assertThat(database.get(database.latest(), KeyLayout.claim(CLAIM))).isNull();
    }
  }

  @Test
  void aLongQueueCountsForAsManyRows() {
    Waiter waiter = new Waiter(HOLDER, 1_000, 2);
    add(Set.of(), new Change.PutLease(lease(Collections.nCopies(100, waiter))));
    assertThat(unwritten.weight()).isEqualTo(101);

    add(Set.of(), new Change.PutLease(PRINTER));
    assertThat(unwritten.weight()).isEqualTo(1);
  }

  @Test
  void whatIsWrittenIsForgotten() throws Exception {
    add(Set.of(), new Change.PutLease(PRINTER), new Change.PutSession(SESSION));
    unwritten.clear();

    assertThat(unwritten.weight()).isZero();
    assertThat(rowsWritten()).isZero();
    assertThat(unwritten.lease("printer", name -> Optional.empty())).isEmpty();
  }

  private void add(Set<String> knownFree, Change... changes) {
    unwritten.add(List.of(changes), knownFree::contains);
  }

  private int rowsWritten() throws RocksDBException {
    NativeLibrary.load();
    try (WriteBatch batch = new WriteBatch()) {
      unwritten.fill(batch);
      return batch.count();
    }
  }

  private void put(byte[] key) {
    try (Database database = Database.open(folder)) {
      database.write(batch -> batch.put(key, new byte[0]));
    }
  }

  private static HeldLease lease(List<Waiter> queue) {
    return new HeldLease("printer", HOLDER, 7, 1_000, 1, OptionalLong.empty(), queue);
  }
}
