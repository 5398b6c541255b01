package io.leasehold.harness.chaos;

import io.leasehold.harness.MemberList;
import io.leasehold.harness.check.history.HistoryEvent.Life.Step;
import io.leasehold.store.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node of a run through all its starts: its place in the network, its disk, its clock, its
 * process. Confined to the run's thread.
 */
final class ChaosNode {

  private static final Duration END_LIMIT = Duration.ofSeconds(6);

  /** How long the others have, to add a node, before they are asked again. */
  private static final Duration ADD_PAUSE = Duration.ofSeconds(3);

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

  /** What all nodes of a run share. */
  record Surroundings(
      ChaosSettings settings,
      Path work,
      Network network,
      Shims shims,
      TimeSpace time,
      RunLog log,
      ProgramCommand program,
      Path guarded) {}

  private final String id;
  private final int place;
  private final double rate;
  private final NodeDisk disk;
  private final Path control;
  private final Surroundings around;
  private final List<HistoryMerge.Part> parts = new ArrayList<>();
  private int run;
  private @Nullable Worker worker;
  private NodeClock clock = NodeClock.ahead(0);
  private long startedAt;
  private boolean paused;
  private boolean wanted;
  private boolean ready;

  /** Its folder is new, and the others have not added it yet. */
  private boolean forgotten;

  private long askedAt;

  ChaosNode(String id, int place, double rate, NodeDisk disk, Surroundings around)
      throws IOException {
    this.id = id;
    this.place = place;
    this.rate = rate;
    this.disk = disk;
    this.around = around;
    this.control = around.work().resolve(id + "-control");
    Files.createDirectories(control);
  }

  String id() {
    return id;
  }

  double rate() {
    return rate;
  }

  NodeDisk disk() {
    return disk;
  }

  Path control() {
    return control;
  }

  List<HistoryMerge.Part> parts() {
    placeInTime();
    return parts;
  }

  /** Whether it is up and not paused. */
  boolean isRunning() {
    return worker != null && worker.isAlive() && !paused;
  }

  /** Whether it is there to be killed. */
  boolean isAlive() {
    return worker != null && worker.isAlive();
  }

  /** Starts its process, once the one before has ended; returns before it is ready. */
  void start() throws IOException {
    if (worker != null && !worker.endsWithin(END_LIMIT)) {
      kill();
      worker.endsWithin(END_LIMIT);
    }
    placeInTime();
    run++;
    ready = false;
    wanted = true;
    paused = false;
    Path part = around.work().resolve(id + "-" + run + ".part.jsonl");
    Path output = around.settings().folder().resolve(id + ".log");
    around.log().life(id, run, Step.START);
    startedAt = around.log().now();
    long ahead = around.time().aheadNanos(place, run);
    worker = Worker.start(command(part), output, around.log()::now);
    clock = NodeClock.ahead(ahead);
    parts.add(new HistoryMerge.Part(part, clock));
  }

  private List<String> command(Path part) {
    List<String> command = new ArrayList<>(around.network().prefix(id));
    command.addAll(around.time().prefix(place, run));
    Map<String, String> environment = around.shims().environment(control, rate);
    if (!environment.isEmpty()) {
      command.add("env");
      environment.forEach((name, value) -> command.add(name + "=" + value));
    }
    List<Member> members = around.network().members(id);
    command.addAll(around.program().words());
    command.addAll(
        List.of(
            "--id", id,
            "--run", String.valueOf(run),
            "--members", MemberList.of(members),
            "--dir", disk.state().toString(),
            "--history", part.toString(),
            "--guarded", around.guarded().toString(),
            "--leases", String.valueOf(around.settings().leases()),
            "--ttl-millis", String.valueOf(around.settings().ttl().toMillis()),
            "--snapshot-log-bytes", String.valueOf(around.settings().snapshotLogBytes()),
            "--seed", String.valueOf(around.settings().seed() * 1_000 + place * 100L + run)));
    return command;
  }

  /**
   * Notes what has become of it since the last time: it is ready, or it has ended by itself.
   *
   * @return whether it is dead though nobody wanted it to be
   */
  boolean look() throws IOException {
    if (worker == null || !wanted) {
      return false;
    }
    if (!worker.isAlive()) {
      wanted = false;
      ready = false;
      // Filling a disk, say, keeps us from looking for seconds, in which it told nobody anything.
      around.log().lifeAt(worker.endedAt(), id, run, Step.EXIT);
      return true;
    }
    if (!ready && worker.hasSaid("ready") && isMember()) {
      ready = true;
      around.log().life(id, run, Step.READY);
      learnClock();
    }
    return false;
  }

  private boolean isMember() {
    if (forgotten && status().contains("member")) {
      forgotten = false;
      around.log().say("%s is a member again", id);
    }
    return !forgotten;
  }

  /** Whether it has lost all that it had, and is not a member again. */
  boolean hasForgotten() {
    return forgotten;
  }

  /** Whether it is time to have it added once more; the others may have been busy. */
  boolean isToBeAdded() {
    long now = around.log().now();
    if (!forgotten || !isRunning() || now - askedAt < ADD_PAUSE.toNanos()) {
      return false;
    }
    askedAt = now;
    return true;
  }

  /** Has it add another one, as this node reaches that. */
  void add(ChaosNode other) throws IOException {
    List<Member> members = around.network().members(id);
    Member added =
        members.stream().filter(member -> member.id().equals(other.id)).findFirst().orElseThrow();
    tell("add " + MemberList.of(List.of(added)));
  }

  /** Kills it, and deletes all that it has on disk. */
  void wipe() throws IOException {
    kill();
    vanish();
    Shell.run("rm", "-rf", disk.state().toString());
    forgotten = true;
  }

  /** Whether it is up, ready and not paused. */
  boolean isReady() {
    return ready && isRunning();
  }

  /** Compares its clock with ours; harmless to do again. */
  void learnClock() throws IOException {
    for (int i = 0; i < 5; i++) {
      long before = around.log().now();
      long theirs = Long.parseLong(running().ask("clock", ANSWER_LIMIT));
      long after = around.log().now();
      if (rate == 1) {
        long ours = clock.toOurs(theirs);
        if (ours < before || ours > after) {
          throw new IOException(
              "the clock of %s is %d ns off where it should be exact"
                  .formatted(id, ours < before ? ours - before : ours - after));
        }
      } else {
        if (clock.errorNanos() == 0) {
          clock = new NodeClock(rate, theirs, before);
          parts.set(parts.size() - 1, new HistoryMerge.Part(last().file(), clock));
        }
        clock.observe(before, theirs, after);
        if (!clock.isConsistent()) {
          throw new IOException("the clock of " + id + " does not run at " + rate);
        }
      }
    }
  }

  /**
   * Places a run in time, roughly, that ended before its drifting clock was compared with ours: it
   * said hello after it was started, and before we heard it.
   */
  private void placeInTime() {
    if (worker != null && rate != 1 && clock.errorNanos() == 0) {
      worker
          .hello()
          .ifPresent(
              hello -> {
                clock = new NodeClock(rate, hello.theirs(), startedAt);
                clock.observe(startedAt, hello.theirs(), hello.heardAt());
                parts.set(parts.size() - 1, new HistoryMerge.Part(last().file(), clock));
              });
    }
  }

  private HistoryMerge.Part last() {
    return parts.get(parts.size() - 1);
  }

  void kill() throws IOException {
    wanted = false;
    ready = false;
    around.log().life(id, run, Step.KILL);
    running().kill();
    paused = false;
  }

  /** Stops it for good, so that it writes no more; {@link #vanish} has to follow. */
  void freeze() throws IOException {
    wanted = false;
    ready = false;
    around.log().life(id, run, Step.KILL);
    running().freeze();
  }

  /** Ends what was frozen, and waits until it is gone. */
  void vanish() throws IOException {
    running().kill();
    paused = false;
    if (!running().endsWithin(END_LIMIT)) {
      throw new IOException(id + " cannot be killed");
    }
  }

  void pause() throws IOException {
    around.log().life(id, run, Step.PAUSE);
    running().signal("STOP");
    paused = true;
  }

  void resume() throws IOException {
    if (paused) {
      running().signal("CONT");
      paused = false;
      around.log().life(id, run, Step.RESUME);
    }
  }

  /** Ends it in order. */
  void close() throws IOException {
    wanted = false;
    around.log().life(id, run, Step.CLOSE);
    ready = false;
    running().tell("close");
  }

  /** Waits for the end of a process that was told to close. */
  boolean endsWithin(Duration limit) {
    return worker == null || worker.endsWithin(limit);
  }

  /**
   * Its role, the leader it knows, its term, its applied index, whether it is a member, and whether
   * it runs the singleton's task; empty when it does not answer.
   */
  List<String> status() {
    if (!isRunning()) {
      return List.of();
    }
    try {
      return List.of(running().ask("status", ANSWER_LIMIT).split(" "));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Asks it to have the leadership handed over to itself; what came of it in words. */
  String takeLead(Duration limit) throws IOException {
    return running().ask("transfer", limit);
  }

  void tell(String word) throws IOException {
    running().tell(word);
  }

  /** Makes sure that nothing of it is left running. */
  void destroy() {
    wanted = false;
    if (worker != null) {
      worker.kill();
    }
  }

  private Worker running() throws IOException {
    if (worker == null) {
      throw new IOException(id + " was never started");
    }
    return worker;
  }
}
