package io.leasehold.raft;

import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Which clock a holder's deadlines are measured with on this machine. {@code System.nanoTime} goes
 * on through pauses of the process, but on Linux it stands still while the machine is suspended. So
 * the deadline uses the boot time clock where Java can read it (22 and later), and a watch on
 * {@code /proc/uptime} ends all holds after a suspend where it cannot.
 */
final class SystemClocks {

  private static final Optional<Ticker> BOOT_TIME = BootTimeTicker.open();
  private static final Path UPTIME = Path.of("/proc/uptime");

  private SystemClocks() {}

  static Ticker ticker() {
    return BOOT_TIME.orElse(System::nanoTime);
  }

  /**
   * Begins to watch for suspends if the ticker does not count them and the system tells of them.
   */
  static Optional<AutoCloseable> suspendWatch(Timer timer, Consumer<String> onSuspend) {
    if (BOOT_TIME.isPresent() || !Files.isReadable(UPTIME)) {
      return Optional.empty();
    }
    return Optional.of(SuspendWatch.begin(UPTIME, System::nanoTime, timer, onSuspend));
  }
}
