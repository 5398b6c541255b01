package io.leasehold.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Change;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Holder;
import io.leasehold.store.core.LeaseView;
import io.leasehold.store.core.MapLeaseTable;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.StoreState;
import io.leasehold.store.core.Waiter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table on disk shows what the one in memory shows, whatever is written. */
final class LeaseTableTest {

  @TempDir Path folder;

  private static final List<String> NAMES = List.of("a", "b", "ab", "ä", "\uff01", "\ud83d\ude00");
  private static final SessionId[] IDS = {
    new SessionId(0, 0), new SessionId(0, 1), new SessionId(-1, -1), new SessionId(-1, 5)
  };

  @Test
  void showsAfterEachReopeningWhatWasWritten() {
    Random random = new Random(1);
    MapLeaseTable map = new MapLeaseTable();

    for (int index = 1; index <= 25; index++) {
      List<Change> changes = randomChanges(random);
      map.write(changes, index / 10, index);
      try (RocksLeaseTable rocks = RocksLeaseTable.open(folder)) {
        rocks.write(changes, index / 10, index);
      }

      try (RocksLeaseTable rocks = RocksLeaseTable.open(folder)) {
        assertEqual(rocks, map);
        assertThat(rocks.appliedIndex()).isEqualTo(index);
        assertThat(rocks.appliedTerm()).isEqualTo(index / 10);
        try (TableReader reader = rocks.reader()) {
          assertThat(reader.sessions()).isEqualTo(map.sessions());
          assertThat(reader.revoked()).containsExactlyInAnyOrderElementsOf(map.revoked());
        }
      }
    }
  }

  private static void assertEqual(LeaseView one, LeaseView other) {
    assertThat(one.state()).isEqualTo(other.state());
    for (String name : NAMES) {
      assertThat(one.lease(name)).isEqualTo(other.lease(name));
    }
    for (SessionId id : IDS) {
      assertThat(one.session(id)).isEqualTo(other.session(id));
      assertThat(one.news(id)).isEqualTo(other.news(id));
      assertThat(one.lastReply(id)).isEqualTo(other.lastReply(id));
      assertThat(one.claims(id)).containsExactlyInAnyOrderElementsOf(other.claims(id));
    }
  }

  private static List<Change> randomChanges(Random random) {
    List<Change> changes = new ArrayList<>();
    changes.add(
        new Change.PutState(
            new StoreState(
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextInt(9),
                random.nextInt(9))));
    for (int i = random.nextInt(12); i > 0; i--) {
      changes.add(randomChange(random));
    }
    return changes;
  }

  private static Change randomChange(Random random) {
    SessionId id = IDS[random.nextInt(IDS.length)];
    String name = NAMES.get(random.nextInt(NAMES.size()));
    Holder holder = new Holder(id, "n" + random.nextInt(3), "o" + random.nextInt(3));
    Claim claim = new Claim(id, random.nextInt(4), name, random.nextInt(3) - 1);
    return switch (random.nextInt(11)) {
      case 0 ->
          new Change.PutLease(
              new HeldLease(
                  name,
                  holder,
                  random.nextLong(),
                  random.nextInt(100),
                  random.nextLong(),
                  random.nextBoolean() ? OptionalLong.of(random.nextLong()) : OptionalLong.empty(),
                  random.nextBoolean()
                      ? List.of()
                      : List.of(new Waiter(holder, random.nextInt(100), random.nextLong()))));
      case 1 -> new Change.RemoveLease(name);
      case 2 ->
          new Change.PutSession(
              new Session(
                  id,
                  "n",
                  random.nextLong(),
                  random.nextLong(),
                  random.nextLong(),
                  random.nextLong(),
                  random.nextLong(),
                  random.nextBoolean()));
      case 3 -> new Change.RemoveSession(id);
      case 4 -> new Change.PutNews(id, List.of(new Event.Released(name, holder, 3)));
      case 5 -> new Change.PutNews(id, List.of());
      case 6 ->
          new Change.PutLastReply(
              id,
              new BatchReply(
                  BatchReply.Status.APPLIED, random.nextInt(), List.of(), true, List.of(), 9));
      case 7 -> new Change.PutClaim(claim);
      case 8 -> new Change.RemoveClaim(claim);
      case 9 -> new Change.PutRevoked(claim, random.nextLong());
      default -> new Change.RemoveRevoked(claim);
    };
  }

  @Test
  void aCheckpointHasEverythingThatWasWritten() {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder.resolve("table"))) {
      table.write(List.of(new Change.PutState(new StoreState(1, 2, 3, 4, 5))), 7, 8);
      table.checkpoint(folder.resolve("copy"));
      table.write(List.of(new Change.PutState(new StoreState(2, 2, 3, 4, 5))), 7, 9);
    }

    try (RocksLeaseTable copy = RocksLeaseTable.open(folder.resolve("copy"))) {
      assertThat(copy.appliedIndex()).isEqualTo(8);
      assertThat(copy.state()).isEqualTo(new StoreState(1, 2, 3, 4, 5));
    }
  }

  @Test
  void aReaderGoesOnShowingItsMomentAndFailsOnceTheTableIsClosed() {
    RocksLeaseTable table = RocksLeaseTable.open(folder);
    table.write(List.of(new Change.PutState(new StoreState(1, 0, 0, 0, 0))), 1, 1);
    TableReader reader = table.reader();

    Holder holder = new Holder(IDS[0], "n", "a");
    table.write(
        List.of(
            new Change.PutState(new StoreState(2, 0, 0, 1, 1)),
            new Change.PutSession(new Session(IDS[0], "n", 9, 1, 2, 1, 0, false)),
            new Change.PutLease(
                new HeldLease("a", holder, 1, 9, 1, OptionalLong.empty(), List.of()))),
        1,
        2);

    assertThat(reader.appliedIndex()).isEqualTo(1);
    assertThat(reader.state().leaseTimeNanos()).isEqualTo(1);
    assertThat(reader.leases()).isEmpty();
    assertThat(reader.find("a")).isEmpty();
    assertThat(reader.sessions()).isEmpty();
    try (TableReader later = table.reader()) {
      assertThat(later.leases()).hasSize(1);
    }

    table.close();

    assertThatThrownBy(reader::leases)
        .isInstanceOf(TableException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(table::reader).isInstanceOf(TableException.class);
    reader.close();
    table.close();
  }
}
