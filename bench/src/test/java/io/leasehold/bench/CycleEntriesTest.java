package io.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.core.Outcome;
import io.leasehold.store.core.Reply;
import org.junit.jupiter.api.Test;

/** What the benchmarks of the parts measure must be acquires that are granted, and releases. */
final class CycleEntriesTest {

  @Test
  void everyLeaseIsGrantedAndReleasedAgainAndAgain() {
    CycleEntries entries = new CycleEntries(3);

    for (int cycle = 0; cycle < 3; cycle++) {
      Outcome granted = entries.apply(entries.acquires());
      Outcome released = entries.apply(entries.releases(granted.reply()));

      assertThat(granted.reply().replies())
          .hasSize(3)
          .allSatisfy(reply -> assertThat(reply).isInstanceOf(Reply.Granted.class));
      assertThat(released.reply().replies())
          .hasSize(3)
          .allSatisfy(reply -> assertThat(reply).isInstanceOf(Reply.Released.class));
    }
  }
}
