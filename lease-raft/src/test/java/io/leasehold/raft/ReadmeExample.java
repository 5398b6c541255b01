package io.leasehold.raft;

import io.leasehold.Lease;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.singleton.Singleton;
import io.leasehold.store.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The README's example. What stands between the marks is what the README shows, which {@link
 * ReadmeTest} checks.
 */
final class ReadmeExample {

  private ReadmeExample() {}

  interface Work {
    boolean remains();

    void doNext(long fencingToken);
  }

  static void run(Work work) {
    // readme begin
    List<Member> members = Member.parseAll("n1=10.0.0.1:7101,n2=10.0.0.2:7101,n3=10.0.0.3:7101");
    RaftLeasesConfig config =
        RaftLeasesConfig.of("shop", "n1", members, Path.of("leases-n1"))
            .withInsecureNetwork() // which only the three can reach; withTls(…) for any other
            .withRequestTimeout(Duration.ofMinutes(1)); // for the other nodes to start, too
    RaftLeases leases = // one in a process, for as long as it lives: it is a member of the cluster
        RaftLeases.builder(config).closeOnJvmShutdown().start();

    Lease invoices = leases.lease(LeaseSettings.of("invoices", "n1", Duration.ofSeconds(10)));
    invoices.onLost(lost -> System.err.println("stop: " + lost.message()));

    if (invoices.acquire(Duration.ofMinutes(1)).toCompletableFuture().join()) {
      long token = invoices.fencingToken().orElseThrow();
      while (work.remains() && invoices.checkAlive()) { // local: no network, no lock
        work.doNext(token);
      }
      invoices.release().toCompletableFuture().join();
    }
    // readme end
  }

  static Singleton runSingleton(LeaseProvider leases, Work work) {
    // singleton begin
    Singleton poller =
        Singleton.builder(leases, LeaseSettings.of("poller", "n1", Duration.ofSeconds(10)))
            .start(
                context -> { // on a thread of its own, once the lease is held
                  while (context.checkAlive() && work.remains()) {
                    work.doNext(context.fencingToken());
                  }
                });
    // singleton end
    return poller;
  }
}
