package io.leasehold.harness.chaos.workload;

import io.leasehold.LeaseSettings;
import io.leasehold.harness.check.history.HistoryWriter;
import io.leasehold.raft.RaftLeases;
import io.leasehold.raft.RaftLeasesConfig;
import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code workload}: one node of a run under faults. For the command {@code chaos}, which starts it
 * and speaks with it: each line on standard input is a question, each line on standard output that
 * begins with {@code @} an answer. It ends when its input does.
 */
@Command(name = "workload", hidden = true, description = "One node of a run under faults.")
@SuppressWarnings("NullAway.Init") // picocli fills the annotated fields before it calls.
public final class WorkloadCommand implements Callable<Integer> {

  /** The store of this node has stopped: a supervisor would start it anew. */
  public static final int STORE_FAILED = 3;

  private static final String ADD = "add ";
  private static final String SINGLETON = "singleton";
  private static final Duration SAMPLE_PAUSE = Duration.ofMillis(4);
  private static final Duration REPLICA_PAUSE = Duration.ofMillis(100);
  private static final Duration HEALTH_PAUSE = Duration.ofMillis(200);

  @Option(names = "--id", required = true)
  private String id;

  @Option(names = "--run", required = true)
  private int run;

  @Option(names = "--members", required = true)
  private String members;

  @Option(names = "--dir", required = true)
  private Path folder;

  @Option(names = "--history", required = true)
  private Path history;

  @Option(names = "--guarded", required = true)
  private Path guarded;

  @Option(names = "--leases", required = true)
  private int leaseCount;

  @Option(names = "--ttl-millis", required = true)
  private long ttlMillis;

  @Option(names = "--snapshot-log-bytes", required = true)
  private long snapshotLogBytes;

  @Option(names = "--seed", required = true)
  private long seed;

  private final PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final WorkTimer timer = new WorkTimer("workload");

  @Override
  public Integer call() throws IOException {
    answers.println("@hello " + ProcessHandle.current().pid() + " " + System.nanoTime());
    List<Member> all = Member.parseAll(members);
    HistoryWriter writer = HistoryWriter.fragment(history);
    Recorder recorder = new Recorder(writer, System::nanoTime, position(all) * 1_000 + run);
    RaftLeases leases =
        RaftLeases.start(
            RaftLeasesConfig.of("chaos", id, all, folder)
                .withStore(
                    StoreConfig.of("chaos", id, all, folder)
                        .withSnapshotLogBytes(snapshotLogBytes)
                        .withInsecureNetwork())); // of namespaces that nobody else is in
    Work work = startWork(leases, recorder);
    answers.println("@ready");
    timer.repeat(HEALTH_PAUSE, () -> endIfFailed(leases.status()));
    converse(leases, work);
    return 0;
  }

  private int position(List<Member> all) {
    return all.stream().map(Member::id).toList().indexOf(id) + 1;
  }

  private Work startWork(RaftLeases leases, Recorder recorder) {
    List<WorkClient> clients = new ArrayList<>();
    Mix mix = new Mix(seed);
    Duration ttl = Duration.ofMillis(ttlMillis);
    RecordedLeases recorded = new RecordedLeases(id, run, leases, recorder);
    Sampler sampler = new Sampler(id, recorder);
    GuardedCounter counter = new GuardedCounter(guarded);
    List<String> names = IntStream.range(0, leaseCount).mapToObj("lease%02d"::formatted).toList();
    for (String name : names) {
      // Owners on one node are holders of their own: they exclude each other like strangers.
      for (String owner : List.of("a", "b", "c")) {
        RecordedLease lease =
            recorded.lease(LeaseSettings.of(name, id + owner, ttl).withAcquireRetries(1));
        sampler.add(lease.handle(), lease);
        clients.add(new WorkClient(lease, recorder, timer, mix, counter));
      }
    }
    LeaseSettings settings = LeaseSettings.of(SINGLETON, id, ttl);
    RecordedLease ofTask = recorded.lease(settings);
    sampler.add(ofTask.handle(), ofTask);
    SteppingTask task = new SteppingTask(ofTask.handle(), ttl, recorder, new Mix(~seed));
    SingletonWork singleton =
        new SingletonWork(recorded, settings, task, new SplittableRandom(seed), timer, mix);
    List<String> all = Stream.concat(names.stream(), Stream.of(SINGLETON)).toList();
    Operator operator = new Operator(id, run, all, leases.inspector(), recorder, timer, mix);
    new WorkTimer("sampler").repeat(SAMPLE_PAUSE, sampler::round);
    ReplicaWatch replica = new ReplicaWatch(id, run, leases, recorder);
    new WorkTimer("replica").repeat(REPLICA_PAUSE, replica::look);
    Work work = new Work(clients, singleton, operator);
    var unused = timer.schedule(Duration.ZERO, work::start);
    return work;
  }

  private void endIfFailed(StoreStatus status) {
    status
        .failure()
        .ifPresent(
            why -> {
              answers.println("@failed " + why.replace('\n', ' '));
              Runtime.getRuntime().halt(STORE_FAILED);
            });
  }

  private void converse(RaftLeases leases, Work work) throws IOException {
    BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = questions.readLine(); line != null; line = questions.readLine()) {
      switch (line) {
        case "clock" -> answers.println("@clock " + System.nanoTime());
        case "status" -> answers.println("@status " + status(leases.status(), work.singleton()));
        case "transfer" -> {
          var unused =
              leases
                  .transferLeadership(id)
                  .whenComplete(
                      (done, failure) ->
                          answers.println("@transfer " + (failure == null ? done : failure)));
        }
        case "drain" -> {
          var unused = timer.schedule(Duration.ZERO, work::stop);
        }
        case "close" -> {
          leases.close();
          answers.println("@closed");
          return;
        }
        default -> {
          if (line.startsWith(ADD)) {
            var unused = leases.addMember(Member.parse(line.substring(ADD.length())));
          } else {
            answers.println("@what? " + line);
          }
        }
      }
    }
    // Whoever asked is gone, and nobody will ask for this process' leases.
    Runtime.getRuntime().halt(0);
  }

  private static String status(StoreStatus status, SingletonWork singleton) {
    return "%s %s %d %d %s %s"
        .formatted(
            status.role(),
            status.leader().orElse("-"),
            status.term(),
            status.appliedIndex(),
            status.waitsFor().isEmpty() ? "member" : "waiting",
            singleton.isRunning() ? "task" : "idle");
  }

  /** All that this node does with leases. Confined to the workload's timer. */
  private record Work(List<WorkClient> clients, SingletonWork singleton, Operator operator) {

    void start() {
      operator.start();
      clients.forEach(WorkClient::start);
      singleton.start();
    }

    void stop() {
      operator.stop();
      clients.forEach(WorkClient::stop);
      singleton.stop();
    }
  }
}
