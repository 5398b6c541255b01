package io.leasehold.bench.cluster;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.harness.node.NodeLog;
import io.leasehold.raft.RaftLeases;
import io.leasehold.store.Member;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.apache.ratis.thirdparty.io.netty.util.internal.PlatformDependent;

/**
 * One node as a process of its own, which {@link ChildNode} starts. It answers each line of its
 * standard input with one line that begins with {@link #ANSWER}, and ends when its input does, so
 * that it never outlives its parent:
 *
 * <ul>
 *   <li>{@code quorum}: waits until a majority answers
 *   <li>{@code first}: acquires a lease, and the nanoseconds from this node's start until it has it
 *   <li>{@code hold PREFIX COUNT TTL_MILLIS}: acquires that many leases and keeps them
 *   <li>{@code alive}: how many of them it still has
 *   <li>{@code heap}: bytes of heap in use after a collection
 *   <li>{@code direct}: bytes of direct memory in use
 *   <li>{@code applied}: the log index that it has applied
 * </ul>
 */
final class NodeMain {

  /** Marks our lines: a JVM may have something to say there, too. */
  static final String ANSWER = "node says ";

  private static final int OUTSTANDING_MAX = 256;
  private static final Duration FIRST_TTL = Duration.ofSeconds(10);

  private final RaftLeases leases;
  private final String id;
  private final long startNanos;
  private final List<Lease> kept = new ArrayList<>();

  private NodeMain(RaftLeases leases, String id, long startNanos) {
    this.leases = leases;
    this.id = id;
    this.startNanos = startNanos;
  }

  /** Arguments: the node's id, the cluster's folder, and each member as {@code id=port}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<Member> members = new ArrayList<>();
    for (String argument : List.of(args).subList(2, args.length)) {
      int sign = argument.lastIndexOf('=');
      members.add(
          ClusterPlan.member(
              argument.substring(0, sign), Integer.parseInt(argument.substring(sign + 1))));
    }
    ClusterPlan plan = new ClusterPlan(members, Path.of(args[1]));
    String id = args[0];
    NodeLog.toFile(plan.folder().resolve(id + ".log"), "INFO");
    long startNanos = System.nanoTime();
    try (RaftLeases leases = RaftLeases.start(plan.configOf(id))) {
      new NodeMain(leases, id, startNanos).serve();
    }
  }

  private void serve() throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    System.out.println(ANSWER + "0");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(ANSWER + answer(List.of(line.split(" "))));
    }
  }

  private String answer(List<String> words) throws InterruptedException {
    return switch (words.get(0)) {
      case "quorum" -> Long.toString(Quorum.await(leases).status().term());
      case "first" -> Long.toString(first());
      case "hold" ->
          hold(
              words.get(1),
              Integer.parseInt(words.get(2)),
              Duration.ofMillis(Long.parseLong(words.get(3))));
      case "alive" -> Long.toString(kept.stream().filter(Lease::checkAlive).count());
      case "heap" -> Long.toString(heapAfterCollection());
      case "direct" -> Long.toString(directMemory());
      case "applied" -> Long.toString(leases.status().appliedIndex());
      default -> throw new IllegalArgumentException("no such command: " + words);
    };
  }

  private long first() {
    Lease lease = leases.lease(LeaseSettings.of("first-of-" + id, id, FIRST_TTL));
    if (!lease.acquire().toCompletableFuture().join()) {
      throw new IllegalStateException("the first lease of " + id + " is held by another");
    }
    return System.nanoTime() - startNanos;
  }

  private String hold(String prefix, int count, Duration ttl) throws InterruptedException {
    Semaphore outstanding = new Semaphore(OUTSTANDING_MAX);
    List<CompletableFuture<Boolean>> acquires = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      outstanding.acquire();
      Lease lease = leases.lease(LeaseSettings.of(prefix + i, id, ttl));
      kept.add(lease);
      acquires.add(
          lease
              .acquire()
              .whenComplete((held, failure) -> outstanding.release())
              .toCompletableFuture());
    }
    long held = acquires.stream().filter(CompletableFuture::join).count();
    return Long.toString(held);
  }

  private static long heapAfterCollection() {
    // Twice, because reference processing frees more in a second pass.
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Of the JVM and, which has its own, of Netty. */
  private static long directMemory() {
    long ofJvm =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return ofJvm + Math.max(0, PlatformDependent.usedDirectMemory());
  }
}
