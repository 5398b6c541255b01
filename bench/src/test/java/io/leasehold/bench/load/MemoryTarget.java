package io.leasehold.bench.load;

import io.leasehold.Lease;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.memory.InMemoryLeases;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store in memory, which shows what the generator does without a cluster. */
final class MemoryTarget implements LoadTarget {

  private final LeaseProvider leases = InMemoryLeases.create();

  LeaseProvider leases() {
    return leases;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Contender contender(String name, String owner) {
    Lease lease = leases.lease(LeaseSettings.of(name, owner, Duration.ofSeconds(10)));
    return new Contender() {
      @Override
      public CompletionStage<Boolean> acquire() {
        return lease.acquire();
      }

      @Override
      public CompletionStage<Boolean> acquire(Duration maxWait) {
        return lease.acquire(maxWait);
      }

      @Override
      public CompletionStage<?> release() {
        return lease.release();
      }
    };
  }

  @Override
  public List<Long> pids() {
    return List.of(ProcessHandle.current().pid());
  }

  @Override
  public void close() {
    leases.close();
  }
}
