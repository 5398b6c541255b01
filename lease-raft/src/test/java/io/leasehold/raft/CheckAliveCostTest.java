package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.leasehold.Lease;
import io.leasehold.time.Ticker;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What a user asks before each thing he does must cost nothing. */
final class CheckAliveCostTest {

  private static final int CALLS = 10_000;

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

  /** What the calls have allocated together, once their classes are loaded. */
  private long bytesOf(Question question) {
    int first = timesTrue(question);
    long before = threads.getCurrentThreadAllocatedBytes();
    int second = timesTrue(question);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(second).isEqualTo(first);
    return bytes;
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
