package io.leasehold.memory;

import io.leasehold.LeaseProvider;
import io.leasehold.contract.ContractCluster;
import io.leasehold.time.Ticker;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A cluster in memory as the contract kit's subject. */
final class MemoryContractCluster implements ContractCluster {

  private final InMemoryCluster cluster;
  private final Ticker time;
  private final Consumer<Duration> passing;
  private final Duration ttl;
  private final int rounds;

  private MemoryContractCluster(
      InMemoryCluster cluster, Ticker time, Consumer<Duration> passing, Duration ttl, int rounds) {
    this.cluster = cluster;
    this.time = time;
    this.passing = passing;
    this.ttl = ttl;
    this.rounds = rounds;
  }

  static MemoryContractCluster onVirtualTime() {
    VirtualTime time = new VirtualTime();
    return new MemoryContractCluster(
        InMemoryCluster.onVirtualTime(time), time, time::advance, Duration.ofSeconds(10), 500);
  }

  static MemoryContractCluster inRealTime() {
    return new MemoryContractCluster(
        InMemoryCluster.inRealTime(),
        System::nanoTime,
        MemoryContractCluster::waitFor,
        Duration.ofSeconds(2),
        30);
  }

  private static void waitFor(Duration duration) {
    try {
      boolean unusedNever = new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException("the test was interrupted", interrupted);
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.DEAFEN));
  }

  @Override
  public LeaseProvider node(String name) {
    return cluster.node(name);
  }

  @Override
  public void advance(Duration duration) {
    passing.accept(duration);
  }

  @Override
  public Ticker time() {
    return time;
  }

  @Override
  public Duration ttl() {
    return ttl;
  }

  @Override
  public int rounds() {
    return rounds;
  }

  @Override
  public void disconnect(String node) {
    cluster.disconnect(node);
  }

  @Override
  public void reconnect(String node) {
    cluster.reconnect(node);
  }

  @Override
  public void crash(String node) {
    cluster.crash(node);
  }

  @Override
  public void pause(String node) {
    cluster.pause(node);
  }

  @Override
  public void resume(String node) {
    cluster.resume(node);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
