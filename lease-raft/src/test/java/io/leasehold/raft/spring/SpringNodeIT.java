package io.leasehold.raft.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.raft.RaftLeases;
import io.leasehold.spring.FencedLock;
import io.leasehold.spring.LeaseLockRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application of Spring Boot that is a node: a cluster of one, over loopback and on disk. Alone
 * in its JVM, for it looks at all threads.
 */
@Isolated
final class SpringNodeIT {

  private static final MeterRegistry METERS = new SimpleMeterRegistry();

  @TempDir Path folder;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {

    @Bean
    MeterRegistry meters() {
      return METERS;
    }

    @Bean
    Worker worker(RaftLeases leases) {
      return new Worker(leases);
    }
  }

  /** A user of leases that gives back what it holds when it is destroyed. */
  static final class Worker implements DisposableBean {

    static final AtomicReference<Boolean> heldToTheEnd = new AtomicReference<>();

    private final Lease lease;

    Worker(RaftLeases leases) {
      this.lease = leases.lease(LeaseSettings.of("work", "a", Duration.ofSeconds(10)));
    }

    @Override
    public void destroy() {
      heldToTheEnd.set(lease.checkAlive());
      lease.release().toCompletableFuture().join();
    }
  }

  private ConfigurableApplicationContext run() throws IOException {
    return new SpringApplicationBuilder(Application.class)
        .properties(
            "leasehold.cluster=spring",
            "leasehold.id=n1",
            "leasehold.members=n1=127.0.0.1:" + freePort(),
            "leasehold.dir=" + folder.resolve("n1"),
            "spring.main.banner-mode=off")
        .run();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return free.getLocalPort();
    }
  }

  @Test
  void isHealthyLocksAndLeavesNoThreadBehind() throws IOException {
    Set<Thread> before = Thread.getAllStackTraces().keySet();

    try (ConfigurableApplicationContext application = run()) {
      HealthIndicator health =
          application.getBean("leaseholdHealthIndicator", HealthIndicator.class);
      await("it is healthy").until(() -> isUp(health));
      FencedLock lock = application.getBean(LeaseLockRegistry.class).obtain("printer");
      assertThat(lock.tryLock()).isTrue();
      assertThat(lock.fencingToken()).isPresent();
      lock.unlock();
      assertThat(application.getBean(Worker.class).lease.acquire().toCompletableFuture().join())
          .isTrue();
      assertThat(METERS.get("leasehold.acquires").tag("outcome", "acquired").timers())
          .extracting(Timer::count)
          .contains(2L); // the lock's, and the worker's
    }

    assertThat(METERS.getMeters()).isEmpty();
    assertThat(Worker.heldToTheEnd).as("closed after who uses it").hasValue(true);
    await("all threads of the node have ended")
        .untilAsserted(() -> assertThat(threadsOfNodesBut(before)).isEmpty());
  }

  private static boolean isUp(HealthIndicator indicator) {
    Health health = indicator.health();
    return health != null && health.getStatus().equals(Status.UP);
  }

  /** Those of gRPC are shared by the process and end a second after their last use. */
  private static List<String> threadsOfNodesBut(Set<Thread> others) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !others.contains(thread))
        .map(Thread::getName)
        .filter(name -> name.matches("(lease(hold)?-.*)?n1\\b.*|lease-.*|grpc.*|Thread-.*"))
        .toList();
  }
}
