package io.leasehold.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.store.core.Change;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Holder;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.StoreState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RocksLeaseTableTest {

  private static final SessionId A = new SessionId(1, 2);
  private static final Session SESSION = new Session(A, "n1", 30, 1, 100, 1, 0, false);

  @TempDir Path folder;

  @Test
  void aNewTableIsEmpty() {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder)) {
      assertThat(table.appliedIndex()).isZero();
      assertThat(table.appliedTerm()).isZero();
      assertThat(table.state()).isEqualTo(StoreState.INITIAL);
      try (TableReader reader = table.reader()) {
        assertThat(reader.leases()).isEmpty();
        assertThat(reader.find("printer")).isEmpty();
        assertThat(reader.appliedTerm()).isZero();
      }
    }
  }

  @Test
  void whatACrashTakesIsTheEndOfTheLogEntryByEntry() throws Exception {
    Path crashed = folder.resolve("crashed");
    try (RocksLeaseTable table = RocksLeaseTable.open(folder.resolve("table"))) {
      for (int index = 1; index <= 20; index++) {
        table.write(List.of(new Change.PutState(stateAt(index))), 1, index);
        if (index == 10) {
          table.flush();
        }
      }
      copyFilesAsACrashLeavesThem(folder.resolve("table"), crashed);
    }

    try (RocksLeaseTable table = RocksLeaseTable.open(crashed)) {
      assertThat(table.appliedIndex()).isEqualTo(10);
      assertThat(table.state()).isEqualTo(stateAt(10));
    }
  }

  @Test
  void anEntryThatAnErrorHasInterruptedIsNotWrittenInPart() {
    Path path = folder.resolve("table");
    RocksLeaseTable table = RocksLeaseTable.open(path);
    table.write(List.of(new Change.PutState(stateAt(1))), 1, 1);
    List<Change> broken = new ArrayList<>();
    broken.add(new Change.PutLease(lease("printer", 5, OptionalLong.empty())));
    broken.add(null);

    assertThatThrownBy(() -> table.write(broken, 1, 2)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(table::reader)
        .isInstanceOf(TableException.class)
        .hasMessage("the table in %s has failed after entry 1: start this node again", path);
    table.close();

    try (RocksLeaseTable again = RocksLeaseTable.open(path)) {
      assertThat(again.appliedIndex()).isZero();
      assertThat(again.lease("printer")).isEmpty();
    }
  }

  @Test
  void aReaderSeesWhatWasWrittenAMomentAgoAndOthersGoOnWriting() {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder)) {
      table.write(
          List.of(
              new Change.PutSession(SESSION),
              new Change.PutLease(lease("a", 5, OptionalLong.empty()))),
          1,
          1);
      try (TableReader reader = table.reader()) {
        table.write(List.of(new Change.RemoveLease("a")), 1, 2);

        assertThat(reader.appliedIndex()).isEqualTo(1);
        assertThat(reader.find("a")).isPresent();
        assertThat(table.lease("a")).isEmpty();
        try (TableReader next = table.reader()) {
          assertThat(next.appliedIndex()).isEqualTo(2);
          assertThat(next.find("a")).isEmpty();
        }
      }
    }
  }

  @Test
  void aCrashTakesNoMoreThanSomeEntries() {
    Path path = folder.resolve("table");
    try (RocksLeaseTable table = RocksLeaseTable.open(path)) {
      for (int index = 1; index <= RocksLeaseTable.ENTRIES_PER_FLUSH; index++) {
        table.write(List.of(new Change.PutState(stateAt(index))), 1, index);
      }

      assertThat(appliedAfterACrash(path)).isEqualTo(RocksLeaseTable.ENTRIES_PER_FLUSH);
    }
  }

  /** The flush is made in the background: looks until it is there, for ten seconds at most. */
  private long appliedAfterACrash(Path table) {
    long applied = 0;
    long begin = System.nanoTime();
    for (int i = 0; applied == 0 && System.nanoTime() - begin < 10_000_000_000L; i++) {
      try {
        Path crashed = folder.resolve("crashed-" + i);
        copyFilesAsACrashLeavesThem(table, crashed);
        try (RocksLeaseTable found = RocksLeaseTable.open(crashed)) {
          applied = found.appliedIndex();
        }
      } catch (IOException | TableException e) {
        applied = 0; // copied while a file was being replaced
      }
    }
    return applied;
  }

  private static StoreState stateAt(long index) {
    return new StoreState(index, 0, 0, 0, 0);
  }

  private static void copyFilesAsACrashLeavesThem(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void leasesComeInTheOrderOfTheirNamesWithTheTimeTheyHaveLeft() {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder)) {
      table.write(
          List.of(
              new Change.PutState(new StoreState(140, 0, 0, 0, 0)),
              new Change.PutSession(SESSION),
              new Change.PutLease(lease("b", 50, OptionalLong.empty())),
              new Change.PutLease(lease("c", 50, OptionalLong.of(145))),
              new Change.PutLease(lease("a", 40, OptionalLong.empty())),
              new Change.PutLease(lease("\ud83d\ude00", 30, OptionalLong.empty())),
              new Change.PutLease(lease("\uff01", 1_000, OptionalLong.empty()))),
          1,
          1);

      try (TableReader reader = table.reader()) {
        assertThat(reader.leases())
            .extracting(reading -> reading.lease().name() + " " + reading.remainingNanos())
            .containsExactly("a 0", "b 10", "c 5", "\uff01 960", "\ud83d\ude00 0");
        assertThat(reader.find("b").orElseThrow().remainingNanos()).isEqualTo(10);
      }
    }
  }

  @Test
  void claimsComeByTtlUpToAnyAndNoMoreThanAsked() {
    SessionId neighbour = new SessionId(1, 3);
    List<Claim> claims = new ArrayList<>();
    for (long ttl : new long[] {5, 300, 70_000, Long.MAX_VALUE}) {
      claims.add(new Claim(A, ttl, "printer", ttl));
    }
    try (RocksLeaseTable table = RocksLeaseTable.open(folder)) {
      List<Change> changes = new ArrayList<>();
      claims.forEach(claim -> changes.add(new Change.PutClaim(claim)));
      changes.add(new Change.PutClaim(new Claim(neighbour, 1, "printer", 1)));
      table.write(changes, 1, 1);

      assertThat(table.claims(A)).isEqualTo(claims);
      try (TableReader reader = table.reader()) {
        assertThat(reader.claimsUpTo(A, 4, 10)).isEmpty();
        assertThat(reader.claimsUpTo(A, 5, 10)).isEqualTo(claims.subList(0, 1));
        assertThat(reader.claimsUpTo(A, 70_000, 10)).isEqualTo(claims.subList(0, 3));
        assertThat(reader.claimsUpTo(A, 70_000, 2)).isEqualTo(claims.subList(0, 2));
        assertThat(reader.claimsUpTo(A, 70_000, 0)).isEmpty();
      }
    }
  }

  @Test
  void entriesAreWrittenInOrderOnly() {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder)) {
      table.write(List.of(), 1, 5);

      assertThatThrownBy(() -> table.write(List.of(), 1, 5))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("entry 5 comes after entry 5");
    }
  }

  @Test
  void aTableHasOneUserAtATime() {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder)) {
      assertThat(table.appliedIndex()).isZero();

      assertThatThrownBy(() -> RocksLeaseTable.open(folder))
          .isInstanceOf(TableException.class)
          .hasMessageStartingWith("cannot open the table in " + folder);
    }
  }

  @Test
  void aFolderThatCannotBeCreatedIsNamed() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatThrownBy(() -> RocksLeaseTable.open(file.resolve("table")))
        .isInstanceOf(TableException.class)
        .hasMessageStartingWith("cannot create the folder of the table, " + file);
  }

  @Test
  void aTableOfANewerVersionIsRefused() {
    RocksLeaseTable.open(folder).close();
    put(KeyLayout.FORMAT, new byte[] {0, 0, 0, 2});

    assertThatThrownBy(() -> RocksLeaseTable.open(folder))
        .isInstanceOf(TableException.class)
        .hasMessage(
            "the table in %s was written by a newer version (format 2, this node reads 1):"
                + " upgrade this node",
            folder);
  }

  @Test
  void aTableThatDoesNotSayItsFormatOrANonsensicalOneIsRefused() {
    put(KeyLayout.FORMAT, new byte[] {0, 0, 0, 0});
    assertThatThrownBy(() -> RocksLeaseTable.open(folder))
        .isInstanceOf(TableException.class)
        .hasMessageEndingWith("is corrupt: there is no format 0");

    put(KeyLayout.FORMAT, new byte[] {1});
    assertThatThrownBy(() -> RocksLeaseTable.open(folder))
        .isInstanceOf(TableException.class)
        .hasMessageEndingWith("is corrupt: the format of the table: it has 1 bytes");

    Path another = folder.resolve("another");
    put(another, KeyLayout.APPLIED, new byte[] {8, 1, 16, 1});
    assertThatThrownBy(() -> RocksLeaseTable.open(another))
        .isInstanceOf(TableException.class)
        .hasMessageEndingWith("does not say its format");
  }

  @Test
  void aCorruptRowIsNamedAndNothingIsMadeOfIt() {
    Claim claim = new Claim(A, 5, "printer", 1);
    byte[] garbage = {99};
    for (byte[] key :
        List.of(
            KeyLayout.lease("printer"),
            KeyLayout.session(A),
            KeyLayout.news(A),
            KeyLayout.lastReply(A),
            KeyLayout.revoked(claim))) {
      put(key, garbage);
    }

    try (RocksLeaseTable table = RocksLeaseTable.open(folder);
        TableReader reader = table.reader()) {
      assertCorrupt(() -> table.lease("printer"), "lease \"printer\"");
      assertCorrupt(() -> table.session(A), "session " + A);
      assertCorrupt(() -> table.news(A), "the news of session " + A);
      assertCorrupt(() -> table.lastReply(A), "the last reply to session " + A);
      assertCorrupt(reader::leases, "session " + A);
      assertCorrupt(reader::revoked, "the revoked lease \"printer\"");
    }
  }

  @Test
  void corruptNumbersKeepTheTableClosed() {
    put(KeyLayout.APPLIED, new byte[] {99});
    put(KeyLayout.FORMAT, ByteBuffer.allocate(4).putInt(1).array());
    assertCorrupt(() -> RocksLeaseTable.open(folder), "the last applied entry");

    Path another = folder.resolve("another");
    put(another, KeyLayout.STATE, new byte[] {99});
    assertCorrupt(() -> RocksLeaseTable.open(another), "the numbers of the store");
  }

  private static void assertCorrupt(ThrowingCallable call, String row) {
    assertThatThrownBy(call)
        .isInstanceOf(TableException.class)
        .hasMessageContaining("is corrupt: " + row + ": not a");
  }

  @Test
  void aHolderWithoutASessionIsCorruption() {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder)) {
      table.write(List.of(new Change.PutLease(lease("printer", 5, OptionalLong.empty()))), 1, 1);

      try (TableReader reader = table.reader()) {
        assertThatThrownBy(reader::leases)
            .isInstanceOf(TableException.class)
            .hasMessageContaining("lease \"printer\" is of session " + A + ", which is not there");
        assertThatThrownBy(() -> reader.find("printer")).isInstanceOf(TableException.class);
      }
    }
  }

  @Test
  void damagedFilesAreNoticedWhereverTheyAreRead() throws Exception {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder)) {
      List<Change> changes = new ArrayList<>(List.of(new Change.PutSession(SESSION)));
      for (int i = 0; i < 500; i++) {
        changes.add(new Change.PutLease(lease("lease-" + i, i, OptionalLong.empty())));
      }
      table.write(changes, 1, 1);
    }
    damageInTheMiddle(fileOfRows());

    assertThatThrownBy(this::readEverything)
        .isInstanceOf(TableException.class)
        .hasMessageContaining("in the table in " + folder);
  }

  private void readEverything() {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder);
        TableReader reader = table.reader()) {
      reader.leases();
    }
  }

  private Path fileOfRows() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
    }
  }

  private static void damageInTheMiddle(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 4] ^= 0x10;
    Files.write(file, bytes);
  }

  @Test
  void aCheckpointNeedsAFolderThatIsNotThere() {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder.resolve("table"))) {
      assertThatThrownBy(() -> table.checkpoint(folder))
          .isInstanceOf(TableException.class)
          .hasMessageContaining("make a checkpoint in " + folder);
    }
  }

  @Test
  void aClosedTableFailsInsteadOfCrashing() {
    RocksLeaseTable table = RocksLeaseTable.open(folder);
    TableReader reader = table.reader();

    table.close();
    table.close();

    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> table.lease("printer"),
            () -> table.claims(A),
            () -> table.write(List.of(), 1, 1),
            table::flush,
            () -> table.checkpoint(folder.resolve("checkpoint")),
            table::reader,
            reader::leases,
            () -> reader.find("printer"))) {
      assertThatThrownBy(call)
          .isInstanceOf(TableException.class)
          .hasMessage("the table in " + folder + " is closed");
    }
    assertThatCode(reader::close).doesNotThrowAnyException();
  }

  @Test
  void aTableWhoseFilesAreGoneSaysSoAndCanBeClosed() throws Exception {
    RocksLeaseTable table = RocksLeaseTable.open(folder.resolve("table"));
    table.write(List.of(new Change.PutState(stateAt(1))), 1, 1);
    Files.move(folder.resolve("table"), folder.resolve("elsewhere"));

    assertThatThrownBy(table::flush)
        .isInstanceOf(TableException.class)
        .hasMessageStartingWith("cannot flush in the table in ");
    table.write(List.of(), 1, 2);
    assertThatThrownBy(table::reader)
        .isInstanceOf(TableException.class)
        .hasMessageStartingWith("cannot write in the table in ");
    assertThatThrownBy(() -> table.write(List.of(), 1, 3))
        .isInstanceOf(TableException.class)
        .hasMessageContaining("has failed after entry 2");
    assertThatCode(table::close).doesNotThrowAnyException();
  }

  @Test
  void aClosedReaderSaysSo() {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder)) {
      TableReader reader = table.reader();
      reader.close();
      reader.close();

      assertThatThrownBy(reader::leases).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void closingWaitsForReadsUnderWay() {
    RocksLeaseTable table = RocksLeaseTable.open(folder);
    List<Change> changes = new ArrayList<>(List.of(new Change.PutSession(SESSION)));
    for (int i = 0; i < 1_000; i++) {
      changes.add(new Change.PutLease(lease("lease-" + i, i, OptionalLong.empty())));
    }
    table.write(changes, 1, 1);
    CompletableFuture<Void> firstRead = new CompletableFuture<>();

    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(
            () -> {
              while (true) {
                try (TableReader reader = table.reader()) {
                  assertThat(reader.leases()).hasSize(1_000);
                  firstRead.complete(null);
                }
              }
            });
    firstRead.join();
    table.close();

    assertThatThrownBy(reading::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(TableException.class)
        .hasMessageEndingWith("is closed");
  }

  private void put(byte[] key, byte[] value) {
    put(folder, key, value);
  }

  private static void put(Path folder, byte[] key, byte[] value) {
    try (Database database = Database.open(folder)) {
      database.write(batch -> batch.put(key, value));
    }
  }

  private static HeldLease lease(String name, long ttlNanos, OptionalLong revokedExpiryNanos) {
    return new HeldLease(
        name, new Holder(A, "n1", "a"), 7, ttlNanos, 1, revokedExpiryNanos, List.of());
  }
}
