package io.leasehold.harness.chaos;

import io.leasehold.harness.chaos.FaultPlan.Planned;
import io.leasehold.harness.check.history.HistoryEvent.Mark;
import io.leasehold.harness.check.history.HistoryHeader;
import io.leasehold.harness.check.history.UnreadableHistoryException;
import io.leasehold.time.Ticker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A run under faults, from building its surroundings to the history it leaves. Confined to the
 * thread that opens it. When the process is told to end, by Ctrl-C say, the run is broken off: what
 * was recorded so far becomes its history.
 */
final class ChaosRun implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration RECOVER_LIMIT = Duration.ofSeconds(60);
  private static final Duration RESTART_PAUSE = Duration.ofMillis(1_500);
  private static final Duration BREAK_OFF_LIMIT = Duration.ofMinutes(1);
  private static final Duration STEP = Duration.ofMillis(50);
  private static final Duration PUT_OFF = Duration.ofMillis(500);
  private static final Duration PUT_OFF_LIMIT = Duration.ofSeconds(15);

  /**
   * How fast the nodes' clocks go: only their relation matters. None is slower than the system's,
   * for libfaketime does not know {@code /proc/uptime}, and against that a slow clock looks like
   * one that had stood still while the machine was suspended.
   */
  private static final double[] RATES = {1.1, 1.0, 1.05, 1.08, 1.0, 1.02, 1.1, 1.0, 1.05};

  private final ChaosSettings settings;
  private final Ticker clock;
  private final PrintWriter out;
  private final Deque<Runnable> cleanUp = new ArrayDeque<>();
  private final WorkFolder folder;
  private final Path work;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::breakOff, "chaos-break-off");
  private final Map<String, String> notes = new TreeMap<>();
  private final List<ChaosNode> nodes = new ArrayList<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparing(Due::at));

  /** Something to be done at a time since the start of the faults' clock. */
  private record Due(Duration at, Action action) {}

  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  /**
   * @param folder for what nobody wants to keep
   */
  private ChaosRun(ChaosSettings settings, WorkFolder folder, Ticker clock, PrintWriter out) {
    this.settings = settings;
    this.folder = folder;
    this.work = folder.path();
    this.clock = clock;
    this.out = out;
  }

  /** Prepares a run; nothing is started. */
  static ChaosRun open(ChaosSettings settings, Ticker clock, PrintWriter out) throws IOException {
    ChaosRun run = new ChaosRun(settings, WorkFolder.create(), clock, out);
    Runtime.getRuntime().addShutdownHook(run.hook);
    return run;
  }

  /**
   * Runs, and leaves the history; that of a run that was broken off ends where it was.
   *
   * @throws IOException when the run could not be made
   */
  Path run() throws IOException, UnreadableHistoryException {
    Path ofHarness = work.resolve("harness.part.jsonl");
    try (RunLog log = new RunLog(ofHarness, clock, out)) {
      try {
        FaultRunner faults = build(log);
        startAll(log);
        harm(log, faults);
        finish(log);
        log.mark(Mark.What.END);
      } catch (IOException e) {
        if (!isBrokenOff()) {
          throw e;
        }
        cleanUp(); // Nobody writes any more once this has returned.
      }
      return merge(log, ofHarness);
    }
  }

  /** Whether the process was told to end before the run had. */
  boolean isBrokenOff() {
    return stopped.getCount() == 0;
  }

  /** Leaves nothing behind but the history and the logs. */
  @Override
  public void close() {
    cleanUp();
    folder.close();
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends already, and the hook has waited for this.
    }
  }

  /** Called while the process ends, which waits for this to return. */
  private void breakOff() {
    stopped.countDown();
    if (closed.getCount() > 0) {
      out.println("breaking off");
      out.flush();
    }
    cleanUp();
    try {
      boolean unusedAsNothingElseHelps =
          closed.await(BREAK_OFF_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private FaultRunner build(RunLog log) throws IOException {
    List<String> ids =
        IntStream.rangeClosed(1, settings.nodes()).mapToObj(number -> "n" + number).toList();
    Network network = network(ids);
    atTheEnd(network::close);
    Shims shims = Shims.compile(work);
    TimeSpace time = TimeSpace.probe();
    notes.put("network", network.means());
    notes.put("clocks", time.means());
    Path guarded = Files.createDirectories(work.resolve("guarded"));
    ChaosNode.Surroundings around =
        new ChaosNode.Surroundings(
            settings, work, network, shims, time, log, ProgramCommand.node(), guarded);
    List<Double> rates = rates();
    Optional<Path> images = images();
    for (int place = 0; place < ids.size(); place++) {
      Path folder = work.resolve(ids.get(place) + "-disk");
      NodeDisk disk =
          images.isPresent() ? NodeDisk.mount(folder, images.get()) : NodeDisk.folder(folder);
      atTheEnd(disk::close);
      notes.put("disks", disk.means());
      ChaosNode node = new ChaosNode(ids.get(place), place, rates.get(place), disk, around);
      atTheEnd(node::destroy);
      nodes.add(node);
    }
    FaultRunner faults = new FaultRunner(nodes, network, shims, log);
    noteDrift(log, faults);
    notes.forEach((what, how) -> log.say("%s: %s", what, how));
    return faults;
  }

  /** Where images of disks are kept, in memory if possible; empty when no fault needs them. */
  private Optional<Path> images() throws IOException {
    if (!settings.kinds().contains(FaultKind.DISK) && !settings.kinds().contains(FaultKind.POWER)) {
      return Optional.empty();
    }
    Path images = Files.createDirectories(work.resolve("images"));
    try {
      Shell.run("mount", "-t", "tmpfs", "tmpfs", images.toString());
      atTheEnd(() -> Shell.attempt("umount", "-l", images.toString()));
    } catch (IOException e) {
      // Then they are where everything else is, and syncing takes longer.
    }
    return Optional.of(images);
  }

  private Network network(List<String> ids) throws IOException {
    try {
      return NamespaceNetwork.open(
          ProcessHandle.current().pid(),
          ids,
          ProgramCommand.relay(),
          settings.folder().resolve("relays.log"));
    } catch (IOException e) {
      return LoopbackNetwork.open(ids, "no network namespaces here (" + e.getMessage() + ")");
    }
  }

  /** Which node's clock goes how fast is the seed's choice. */
  private List<Double> rates() {
    List<Double> rates = new ArrayList<>();
    boolean drifts = settings.kinds().contains(FaultKind.DRIFT) && Shims.faketime().isPresent();
    for (int place = 0; place < settings.nodes(); place++) {
      rates.add(drifts ? RATES[place] : 1.0);
    }
    Collections.shuffle(rates, new Random(settings.seed()));
    return rates;
  }

  private void noteDrift(RunLog log, FaultRunner faults) {
    if (!settings.kinds().contains(FaultKind.DRIFT)) {
      return;
    }
    List<ChaosNode> drifting = nodes.stream().filter(node -> node.rate() != 1).toList();
    Map<String, String> parameters = new TreeMap<>();
    drifting.forEach(node -> parameters.put(node.id(), "x" + node.rate()));
    List<String> targets = drifting.stream().map(ChaosNode::id).toList();
    int id = faults.nextId();
    if (drifting.isEmpty()) {
      log.notInjected(id, FaultKind.DRIFT, targets, parameters, "libfaketime is not installed");
    } else {
      log.begins(id, FaultKind.DRIFT, targets, parameters, false, "libfaketime");
    }
  }

  private void startAll(RunLog log) throws IOException {
    for (ChaosNode node : nodes) {
      node.start();
    }
    long limit = log.now() + START_LIMIT.toNanos();
    while (!nodes.stream().allMatch(ChaosNode::isReady)) {
      for (ChaosNode node : nodes) {
        if (node.look()) {
          throw new IOException(
              node.id() + " did not start; see " + settings.folder().resolve(node.id() + ".log"));
        }
      }
      if (log.now() > limit || passes(STEP)) {
        throw new IOException("the cluster did not start within " + START_LIMIT.toSeconds() + " s");
      }
    }
    log.say("%d nodes are ready", nodes.size());
    while (leader().isEmpty()) {
      if (log.now() > limit || passes(STEP)) {
        throw new IOException("no leader within " + START_LIMIT.toSeconds() + " s");
      }
    }
    log.say("%s leads", leader().orElse("nobody"));
  }

  private Optional<String> leader() {
    return nodes.stream()
        .filter(node -> node.status().contains("LEADER"))
        .map(ChaosNode::id)
        .findFirst();
  }

  private void harm(RunLog log, FaultRunner faults) throws IOException {
    FaultPlan plan =
        FaultPlan.of(settings.seed(), settings.duration(), settings.kinds(), settings.nodes());
    long begin = log.now();
    for (Planned fault : plan.faults()) {
      due.add(new Due(fault.at(), () -> begin(fault, faults, log, begin, plan.end())));
    }
    workUntil(log, begin, plan.end());
    faults.endAll();
    awaitRecovery(log, begin);
    log.mark(Mark.What.FAULTS_OVER);
    log.say("no more faults");
    Duration calm = FaultPlan.calmAtTheEnd(settings.duration());
    workUntil(log, begin, Duration.ofNanos(log.now() - begin).plus(calm));
  }

  /** Begins a fault; one for which nobody is fit, as while all are down, is put off for a while. */
  private void begin(Planned fault, FaultRunner faults, RunLog log, long begin, Duration end)
      throws IOException {
    Duration now = Duration.ofNanos(log.now() - begin);
    boolean putOff =
        !faults.isSomebodyFitFor(fault)
            && now.compareTo(fault.at().plus(PUT_OFF_LIMIT)) < 0
            && now.plus(PUT_OFF).compareTo(end) < 0;
    if (putOff) {
      due.add(new Due(now.plus(PUT_OFF), () -> begin(fault, faults, log, begin, end)));
    } else {
      faults.begin(fault);
      due.add(new Due(now.plus(fault.length()), () -> faults.end(fault)));
    }
  }

  private void awaitRecovery(RunLog log, long begin) throws IOException {
    long limit = log.now() + RECOVER_LIMIT.toNanos();
    while (!nodes.stream().allMatch(ChaosNode::isReady)) {
      workUntil(log, begin, Duration.ofNanos(log.now() - begin).plus(STEP));
      if (log.now() > limit) {
        log.say("not every node came back; the judge will say so");
        return;
      }
    }
  }

  /** Does what is due and looks after the nodes until a time since {@code begin}. */
  private void workUntil(RunLog log, long begin, Duration end) throws IOException {
    while (true) {
      Duration now = Duration.ofNanos(log.now() - begin);
      if (now.compareTo(end) >= 0) {
        return;
      }
      Due next = due.peek();
      if (next != null && next.at().compareTo(now) <= 0) {
        due.remove().action().run();
        continue;
      }
      for (ChaosNode node : nodes) {
        if (node.look()) {
          log.say("%s has ended by itself; it is started again", node.id());
          due.add(new Due(now.plus(RESTART_PAUSE), node::start));
        }
        if (node.isToBeAdded()) {
          add(node);
        }
      }
      if (passes(STEP)) {
        throw new IOException("interrupted");
      }
    }
  }

  private void add(ChaosNode forgetful) throws IOException {
    for (ChaosNode node : nodes) {
      if (node.isReady()) {
        node.add(forgetful);
        return;
      }
    }
  }

  /** Lets a moment pass; true when the run is to be broken off. */
  private boolean passes(Duration moment) {
    try {
      return stopped.await(moment.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Gives everything back, closes all nodes in order, and sees them end. */
  private void finish(RunLog log) throws IOException {
    long begin = log.now();
    for (ChaosNode node : nodes) {
      if (node.isReady()) {
        node.learnClock();
        node.tell("drain");
      }
    }
    workUntil(log, begin, Duration.ofSeconds(3));
    for (ChaosNode node : nodes) {
      if (node.isReady()) {
        node.close();
      }
    }
    for (ChaosNode node : nodes) {
      if (!node.endsWithin(Duration.ofSeconds(10))) {
        log.say("%s did not end within 10 s", node.id());
      }
    }
  }

  private Path merge(RunLog log, Path ofHarness) throws IOException, UnreadableHistoryException {
    List<HistoryMerge.Part> parts = new ArrayList<>();
    parts.add(new HistoryMerge.Part(ofHarness, NodeClock.ahead(0)));
    nodes.forEach(node -> parts.addAll(node.parts()));
    HistoryHeader header =
        new HistoryHeader(
            HistoryHeader.FORMAT,
            settings.seed(),
            settings.command(),
            "",
            nodes.stream().map(ChaosNode::id).toList(),
            HistoryHeader.Parameters.defaults(),
            notes);
    Path history = settings.folder().resolve("history.jsonl");
    HistoryMerge.write(history, header, log.start(), parts);
    return history;
  }

  private synchronized void atTheEnd(Runnable action) {
    cleanUp.push(action);
  }

  /** Undoes what was built; returns when that is done, whoever has begun it. */
  private synchronized void cleanUp() {
    for (Runnable next = cleanUp.poll(); next != null; next = cleanUp.poll()) {
      next.run();
    }
  }
}
