package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.leasehold.Lease;
import io.leasehold.time.Ticker;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What a user asks before each thing he does must cost nothing. */
final class CheckAliveCostTest {

  private static final int CALLS = 1_000;
  private static final int ROUNDS = 20;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void checkAliveAllocatesNothingWhetherHeldOrNot() {
    Stage stage = new Stage();
    Lease held = stage.held();
    Lease notHeld = stage.lease("b");

    assertThat(bytesOf(held::checkAlive)).isZero();
    assertThat(bytesOf(notHeld::checkAlive)).isZero();
  }

  @Test
  void readingThisMachinesClockAllocatesNothing() {
    Ticker clock = SystemClocks.ticker();

    assertThat(bytesOf(() -> clock.nanos() != 0)).isZero();
  }

  /**
   * What the calls allocate together, but for what the JVM does once while it gets to know them.
   */
  private long bytesOf(Question question) {
    int expected = timesTrue(question);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      int answered = timesTrue(question);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      assertThat(answered).isEqualTo(expected);
    }
    return least;
  }

  private static int timesTrue(Question question) {
    int times = 0;
    for (int i = 0; i < CALLS; i++) {
      times += question.ask() ? 1 : 0;
    }
    return times;
  }

  private interface Question {
    boolean ask();
  }
}
