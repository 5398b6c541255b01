package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A handler that writes down what it is told, and whether the lease still looked alive then. Safe
 * for many threads.
 */
public final class Losses {

  private final List<LeaseLost> seen = new CopyOnWriteArrayList<>();
  private final List<Boolean> aliveInside = new CopyOnWriteArrayList<>();
  private final Subscription subscription;

  private Losses(Lease lease) {
    this.subscription =
        lease.onLost(
            lost -> {
              aliveInside.add(lease.checkAlive());
              seen.add(lost);
            });
  }

  /** Begins to write down the losses of a lease. */
  public static Losses of(Lease lease) {
    return new Losses(lease);
  }

  /** Returns how many losses were told. */
  public int count() {
    return seen.size();
  }

  /** Returns what was told, in order. */
  public List<LeaseLost> seen() {
    return List.copyOf(seen);
  }

  /** Ends the registration. */
  public void unsubscribe() {
    subscription.close();
  }

  /** Asserts that one loss was told, of this hold, with one of these reasons. */
  public void assertOnce(Lease lease, long token, LeaseLost.Reason... reasons) {
    assertThat(seen).as("losses of %s", lease.settings().name()).hasSize(1);
    LeaseLost lost = seen.get(0);
    assertThat(lost.lease()).isEqualTo(lease.settings().name());
    assertThat(lost.owner()).isEqualTo(lease.settings().owner());
    assertThat(lost.fencingToken()).isEqualTo(token);
    assertThat(lost.reason()).isIn((Object[]) reasons);
    assertThat(lost.message()).isNotBlank();
    assertThat(aliveInside).as("checkAlive inside the handler").containsExactly(false);
  }

  /** Asserts that nothing was told. */
  public void assertNone() {
    assertThat(seen).as("losses").isEmpty();
  }
}
