package io.leasehold.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.TableDigest;
import io.leasehold.store.core.LeaseMachine;
import io.leasehold.store.core.MapLeaseTable;
import io.leasehold.store.core.Outcome;
import io.leasehold.store.core.RandomLog;
import io.leasehold.store.core.Seeds;
import io.leasehold.store.core.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A replica on disk decides as one in memory does, wherever it is stopped and started again. */
final class RocksReplicaRandomTest {

  private static final int ENTRIES = 250;

  private final LeaseMachine machine = new LeaseMachine(RandomLog.LIMITS);

  @TempDir Path folder;

  static LongStream seeds() {
    return Seeds.upTo(5);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void decidesAsInMemoryAcrossRestartsAndCheckpoints(long seed) {
    RandomLog log = new RandomLog(seed);
    Random random = new Random(~seed);
    MapLeaseTable map = new MapLeaseTable();
    RocksLeaseTable rocks = RocksLeaseTable.open(folder.resolve("table-0"));
    List<RandomLog.Proposal> sinceCheckpoint = new ArrayList<>();
    Path checkpoint = folder.resolve("nowhere");

    for (int i = 0; i < ENTRIES; i++) {
      RandomLog.Proposal proposal = log.next(map);
      Outcome inMemory = machine.apply(map, proposal.batch(), proposal.entry());
      Outcome onDisk = machine.apply(rocks, proposal.batch(), proposal.entry());
      assertThat(onDisk).isEqualTo(inMemory);
      map.write(inMemory.changes(), proposal.entry().term(), proposal.entry().index());
      rocks.write(onDisk.changes(), proposal.entry().term(), proposal.entry().index());
      sinceCheckpoint.add(proposal);
      if (random.nextInt(8) == 0) {
        rocks.reader().close(); // has what was kept back until then written
      }

      if (i == ENTRIES / 2) {
        checkpoint = folder.resolve("checkpoint");
        rocks.checkpoint(checkpoint);
        sinceCheckpoint.clear();
      } else if (random.nextInt(60) == 0) {
        rocks.close();
        rocks = RocksLeaseTable.open(folder.resolve("table-0"));
      }
    }

    assertSame(rocks, map);
    TableDigest digest = digest(rocks);
    rocks.close();
    try (RocksLeaseTable replica = RocksLeaseTable.open(checkpoint)) {
      for (RandomLog.Proposal proposal : sinceCheckpoint) {
        assertThat(digest(replica)).isNotEqualTo(digest);
        Outcome outcome = machine.apply(replica, proposal.batch(), proposal.entry());
        replica.write(outcome.changes(), proposal.entry().term(), proposal.entry().index());
      }
      assertSame(replica, map);
      assertThat(digest(replica)).isEqualTo(digest);
    }
  }

  private static TableDigest digest(RocksLeaseTable rocks) {
    try (TableReader reader = rocks.reader()) {
      return reader.digest();
    }
  }

  private static void assertSame(RocksLeaseTable rocks, MapLeaseTable map) {
    assertThat(rocks.appliedIndex()).isEqualTo(map.appliedIndex());
    assertThat(rocks.appliedTerm()).isEqualTo(map.appliedTerm());
    try (TableReader reader = rocks.reader()) {
      assertThat(reader.state()).isEqualTo(map.state());
      assertThat(reader.leases()).isEqualTo(map.leases());
      assertThat(reader.sessions()).isEqualTo(map.sessions());
      assertThat(reader.revoked()).containsExactlyInAnyOrderElementsOf(map.revoked());
    }
    for (Session session : map.sessions()) {
      assertThat(rocks.news(session.id())).isEqualTo(map.news(session.id()));
      assertThat(rocks.lastReply(session.id())).isEqualTo(map.lastReply(session.id()));
      assertThat(rocks.claims(session.id()))
          .containsExactlyInAnyOrderElementsOf(map.claims(session.id()));
    }
  }
}
