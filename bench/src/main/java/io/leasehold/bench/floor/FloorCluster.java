package io.leasehold.bench.floor;

import io.leasehold.bench.cluster.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A running floor of three nodes on loopback, with its leader in this process. */
public final class FloorCluster implements AutoCloseable {

  private static final int FOLLOWERS = 2;
  private static final long END_SECONDS_MAX = 15;

  private final List<Process> processes;
  private final FloorLeader leader;

  private FloorCluster(List<Process> processes, FloorLeader leader) {
    this.processes = List.copyOf(processes);
    this.leader = leader;
  }

  /**
   * Starts each follower as a process of its own.
   *
   * @param folder where the logs are
   * @param jvmOptions of the followers
   */
  public static FloorCluster ofProcesses(Path folder, List<String> jvmOptions) {
    List<Process> processes = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      for (int i = 1; i <= FOLLOWERS; i++) {
        Process process =
            ChildJvm.start(
                FloorFollowerMain.class,
                jvmOptions,
                List.of(logFile(folder, i).toString()),
                folder.resolve("floor" + i + ".err"));
        processes.add(process);
        String port = process.inputReader().readLine();
        if (port == null) {
          throw new IOException("follower " + i + " of the floor has ended");
        }
        ports.add(Integer.parseInt(port));
      }
      return new FloorCluster(processes, lead(folder, ports));
    } catch (IOException e) {
      processes.forEach(Process::destroyForcibly);
      throw new UncheckedIOException("cannot start the floor", e);
    }
  }

  /** Starts each follower as a thread of this process. */
  public static FloorCluster ofThreads(Path folder) {
    try {
      List<Integer> ports = new ArrayList<>();
      for (int i = 1; i <= FOLLOWERS; i++) {
        FloorFollower follower = FloorFollower.open(logFile(folder, i));
        ports.add(follower.port());
        Thread thread = new Thread(() -> serve(follower), "floor-follower");
        thread.setDaemon(true);
        thread.start();
      }
      return new FloorCluster(List.of(), lead(folder, ports));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the floor", e);
    }
  }

  private static void serve(FloorFollower follower) {
    try (follower) {
      follower.serve();
    } catch (IOException e) {
      throw new UncheckedIOException("a follower of the floor failed", e);
    }
  }

  private static FloorLeader lead(Path folder, List<Integer> ports) throws IOException {
    return FloorLeader.start(FloorQuorum.open(logFile(folder, 0), ports));
  }

  static Path logFile(Path folder, int node) {
    return folder.resolve("floor" + node + ".log");
  }

  /** Completes with whether the owner has the lease now. */
  public CompletionStage<Boolean> acquire(String lease, String owner) {
    return leader.ask(FloorRequest.Kind.ACQUIRE, lease, owner);
  }

  /** Completes when the owner has the lease, after those who have asked for it before. */
  public CompletionStage<Boolean> acquireOrWait(String lease, String owner) {
    return leader.ask(FloorRequest.Kind.ACQUIRE_OR_WAIT, lease, owner);
  }

  /** Completes, with whether the owner had the lease, when others may have it. */
  public CompletionStage<Boolean> release(String lease, String owner) {
    return leader.ask(FloorRequest.Kind.RELEASE, lease, owner);
  }

  /** The processes of all nodes, this one among them. */
  public List<Long> pids() {
    List<Long> pids = new ArrayList<>();
    pids.add(ProcessHandle.current().pid());
    processes.forEach(process -> pids.add(process.pid()));
    return pids;
  }

  /** Ends the leader, whereupon the followers end. */
  @Override
  public void close() {
    leader.close();
    for (Process process : processes) {
      try {
        boolean unused = process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        process.destroyForcibly();
      }
    }
  }
}
