package io.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaseSettings;
import io.leasehold.memory.InMemoryLeases;
import java.time.Duration;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * ShedLock's own kit for lock providers, in real time. It waits more than it works, so its tests
 * wait side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
final class LeaseLockProviderKitTest extends AbstractExtensibleLockProviderIntegrationTest {

  private final InMemoryLeases leases = InMemoryLeases.create();
  private final LeaseLockProvider locks =
      new LeaseLockProvider(leases, LeaseSettings.of("kit", "n1", Duration.ofSeconds(10)));

  @AfterEach
  void close() {
    locks.close();
    leases.close();
  }

  @Override
  protected ExtensibleLockProvider getLockProvider() {
    return locks;
  }

  /** What ends by time is released by a timer: a moment later, on a busy machine. */
  @Override
  protected void assertUnlocked(String lockName) {
    await("it is released").until(() -> !isLocked(lockName));
  }

  @Override
  protected void assertLocked(String lockName) {
    assertThat(isLocked(lockName)).isTrue();
  }

  private boolean isLocked(String lockName) {
    return leases.inspector().find(lockName).toCompletableFuture().join().isPresent();
  }
}
