package io.leasehold.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.core.Change;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Holder;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.Waiter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** They are what the table has, read as seldom as their number allows. */
final class RecentLeasesTest {

  private static final Holder HOLDER = new Holder(new SessionId(1, 2), "n1", "a");

  private final List<String> read = new ArrayList<>();
  private final RecentLeases recent = new RecentLeases();

  @Test
  void aLeaseIsReadOnce() {
    assertThat(leaseInTable("printer")).contains(lease("printer", 0));
    assertThat(leaseInTable("printer")).contains(lease("printer", 0));

    assertThat(read).containsExactly("printer");
  }

  @Test
  void thatThereIsNoneIsReadOnce() {
    assertThat(recent.lease("printer", name -> Optional.empty())).isEmpty();

    assertThat(leaseInTable("printer")).isEmpty();
    assertThat(read).isEmpty();
  }

  @Test
  void whatIsWrittenIsKnown() {
    recent.written(List.of(new Change.PutLease(lease("printer", 3))));
    assertThat(leaseInTable("printer")).contains(lease("printer", 3));

    recent.written(List.of(new Change.RemoveLease("printer")));
    assertThat(leaseInTable("printer")).isEmpty();

    assertThat(read).isEmpty();
  }

  @Test
  void aLongQueueIsNotKept() {
    assertThat(leaseInTable("printer")).isPresent();
    recent.written(List.of(new Change.PutLease(lease("printer", RecentLeases.WAITERS_MAX + 1))));

    assertThat(leaseInTable("printer")).contains(lease("printer", 0));
    assertThat(read).containsExactly("printer", "printer");
  }

  @Test
  void theLeaseThatWasNotUsedForLongestGoes() {
    for (int i = 0; i < RecentLeases.LEASES_MAX; i++) {
      assertThat(leaseInTable("lease-" + i)).isPresent();
    }
    assertThat(leaseInTable("lease-0")).isPresent();
    assertThat(leaseInTable("one more")).isPresent();
    read.clear();

    assertThat(leaseInTable("lease-0")).isPresent();
    assertThat(leaseInTable("lease-1")).isPresent();

    assertThat(read).containsExactly("lease-1");
    assertThat(recent.size()).isEqualTo(RecentLeases.LEASES_MAX);
  }

  private Optional<HeldLease> leaseInTable(String name) {
    return recent.lease(
        name,
        unread -> {
          read.add(unread);
          return Optional.of(lease(unread, 0));
        });
  }

  private static HeldLease lease(String name, int waiters) {
    return new HeldLease(
        name,
        HOLDER,
        7,
        1_000,
        1,
        OptionalLong.empty(),
        Collections.nCopies(waiters, new Waiter(HOLDER, 1_000, 2)));
  }
}
