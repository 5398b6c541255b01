package io.leasehold.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds whatever is in the log. A seed of its own can be given by {@code -Dseed=N}. */
final class LeaseMachineRandomTest {

  private static final int ENTRIES = 400;

  private final LeaseMachine machine = new LeaseMachine(RandomLog.LIMITS);

  static LongStream seeds() {
    return Seeds.upTo(150);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void keepsItsInvariantsAndReplaysAlikeFromAnywhere(long seed) {
    RandomLog log = new RandomLog(seed);
    Random random = new Random(~seed);
    MapLeaseTable table = new MapLeaseTable();
    MapLeaseTable replica = new MapLeaseTable();
    ToldHolders told = new ToldHolders();
    List<RandomLog.Proposal> written = new ArrayList<>();

    for (int i = 0; i < ENTRIES; i++) {
      RandomLog.Proposal proposal = log.next(table);
      written.add(proposal);
      StoreState before = table.state();

      Outcome outcome = apply(table, proposal);

      Invariants.check(before, table);
      outcome.events().forEach(told::note);
      told.requireSameAs(table.view());
      log.answered(proposal.batch(), outcome.reply(), table);
      if (random.nextInt(50) == 0) {
        // The replica has been away, and gets a snapshot instead of the log.
        written.clear();
        replica = table.copy();
      }
    }

    for (RandomLog.Proposal proposal : written) {
      apply(replica, proposal);
    }
    assertThat(replica.contents()).isEqualTo(table.contents());
  }

  private Outcome apply(MapLeaseTable table, RandomLog.Proposal proposal) {
    Outcome outcome = machine.apply(table, proposal.batch(), proposal.entry());
    table.write(outcome.changes(), proposal.entry().term(), proposal.entry().index());
    return outcome;
  }
}
