package io.leasehold.bench.load;

import io.leasehold.bench.cluster.Place;
import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.harness.DurationNotation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Reads what is to be measured from the command line, has it measured, and prints it. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Puts a cluster of three nodes on loopback, with its log synced to disk, under load.",
      "Progress goes to standard error, results to standard output."
    })
final class LoadCommand implements Callable<Integer> {

  private static final Path MEMORY = Path.of("/dev/shm");

  @Spec private CommandSpec spec;

  @Option(
      names = "--callers",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,8,64,256",
      description = "numbers of concurrent callers, each on a lease of its own (${DEFAULT-VALUE})")
  private List<Integer> callers;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = DurationOption.class,
      description = "how long each measurement takes (${DEFAULT-VALUE})")
  private Duration duration;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = DurationOption.class,
      description = "load before each measurement, three times as long at first (${DEFAULT-VALUE})")
  private Duration warmUp;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description = "how often all stores are measured in turn; the median counts (1)")
  private int rounds;

  @Option(
      names = "--embedded",
      description = "three nodes in this JVM; by default two of them are processes of their own")
  private boolean embedded;

  @Option(
      names = "--processes",
      description = "three processes, the callers in one of the nodes: the default")
  private boolean processes;

  @Option(
      names = "--place",
      split = ",",
      paramLabel = "PLACE",
      defaultValue = "leader,follower",
      description = "which node the callers are in: leader, follower or both (${DEFAULT-VALUE})")
  private List<String> places;

  @Option(
      names = "--style",
      paramLabel = "STYLE",
      defaultValue = "THREADS",
      description = "callers that block, or that go on by stages: ${COMPLETION-CANDIDATES}")
  private CallerStyle style;

  @Option(names = "--no-cycles", description = "leaves out the acquires and releases")
  private boolean noCycles;

  @Option(names = "--no-floor", description = "leaves out the least replicated log there can be")
  private boolean noFloor;

  @Option(
      names = "--rates",
      split = ",",
      paramLabel = "N",
      description = "also: N arrivals a second, whether or not the store keeps up (open loop)")
  private List<Integer> rates = new ArrayList<>();

  @Option(
      names = "--arrival-callers",
      paramLabel = "N",
      defaultValue = "256",
      description = "how many arrivals are served at once, the others in line (${DEFAULT-VALUE})")
  private int arrivalCallers;

  @Option(
      names = "--waiters",
      split = ",",
      paramLabel = "N",
      description = "also: how fast one contended lease goes round among N owners")
  private List<Integer> waiters = new ArrayList<>();

  @Option(
      names = "--idle",
      paramLabel = "N",
      defaultValue = "1000",
      description = "leases held by three idle processes together; 0 leaves it out (1000)")
  private int idle;

  @Option(
      names = "--idle-duration",
      paramLabel = "TIME",
      defaultValue = "20s",
      converter = DurationOption.class,
      description = "how long idle processes are watched (${DEFAULT-VALUE})")
  private Duration idleDuration;

  @Option(
      names = "--settle",
      paramLabel = "TIME",
      defaultValue = "2m",
      converter = DurationOption.class,
      description =
          "how long idle processes are left alone before they are watched, as the JVM compiles"
              + " for minutes what runs only now and then (${DEFAULT-VALUE})")
  private Duration settle;

  @Option(
      names = "--renewals",
      split = ",",
      paramLabel = "N",
      description = "also: what it costs when one of the processes holds N leases")
  private List<Integer> renewals = new ArrayList<>();

  @Option(
      names = "--holder-kills",
      paramLabel = "N",
      defaultValue = "0",
      description = "also: kills a holder's process N times, and sees when a waiter is granted")
  private int holderKills;

  @Option(
      names = "--leader-kills",
      paramLabel = "N",
      defaultValue = "0",
      description = "also: kills the leader's process N times, and sees how long none acquires")
  private int leaderKills;

  @Option(
      names = "--starts",
      paramLabel = "N",
      defaultValue = "0",
      description = "also: starts nodes N times, and sees how soon each has a lease")
  private int starts;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "NAME",
      description = "other stores to measure in the same run; needs the profile peers")
  private List<String> peers = new ArrayList<>();

  @Option(
      names = "--node-options",
      split = " ",
      paramLabel = "OPTIONS",
      defaultValue = "-Xmx512m",
      description = "JVM options of the processes it starts, in one argument (${DEFAULT-VALUE})")
  private List<String> nodeOptions;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "whose disk is used; by default that of the temporary files")
  private @Nullable Path folder;

  @Option(
      names = "--in-memory",
      description = "the logs in memory: on the file system in /dev/shm, where syncing is nothing")
  private boolean inMemory;

  @Option(names = "--chart", paramLabel = "FILE", description = "draws the cycles into a PNG, too")
  private @Nullable Path chart;

  @Option(names = "--json", description = "prints each result as one JSON object on a line")
  private boolean json;

  @Override
  public Integer call() {
    if (embedded && processes) {
      throw wrong("--embedded and --processes exclude each other");
    }
    if (embedded && (holderKills > 0 || leaderKills > 0)) {
      throw wrong("what is killed has to be a process: not with --embedded");
    }
    if (inMemory && folder != null) {
      throw wrong("--in-memory and --dir exclude each other");
    }
    if (chart != null && !chart.toString().endsWith(".png")) {
      throw wrong("--chart draws a .png: " + chart);
    }
    List<Competitor> competitors = competitors();
    Report report = new Report(spec.commandLine().getOut(), json);
    try (WorkFolder probe = newFolder()) {
      report.print(Environment.describe(probe.path()));
    }
    if (!noCycles) {
      CycleRace race = new CycleRace(competitors, callers, style, warmUp, duration);
      race.run(rounds, this::newFolder).forEach(report::print);
      if (chart != null) {
        CycleChart.write(race.medians(), chart);
      }
    }
    if (!rates.isEmpty()) {
      ArrivalRace race = new ArrivalRace(competitors, rates, arrivalCallers, warmUp, duration);
      report.print(race.run(this::newFolder));
    }
    if (!waiters.isEmpty()) {
      HandOverRace race = new HandOverRace(competitors, waiters, warmUp, duration);
      report.print(race.run(this::newFolder));
    }
    if (holderKills > 0) {
      HolderKills kills = new HolderKills(nodeOptions, holderKills);
      places.forEach(place -> kills.measure(place(place), this::newFolder));
      report.print(kills.table());
    }
    if (leaderKills > 0) {
      report.print(new LeaderKills(nodeOptions, leaderKills).measure(this::newFolder));
    }
    if (starts > 0) {
      report.print(new StartTimes(nodeOptions, starts).measure(this::newFolder));
    }
    IdleWatch watch = new IdleWatch(nodeOptions, settle, idleDuration);
    if (idle > 0) {
      watch.add(idle, 3, this::newFolder);
    }
    renewals.forEach(leases -> watch.add(leases, 1, this::newFolder));
    report.print(watch.table());
    return 0;
  }

  private List<Competitor> competitors() {
    List<Competitor> competitors = new ArrayList<>();
    for (String text : places) {
      Place place = place(text);
      competitors.add(
          embedded ? OwnStore.embedded(place) : OwnStore.ofThreeProcesses(place, nodeOptions));
    }
    if (!noFloor) {
      competitors.add(embedded ? FloorStore.embedded() : FloorStore.ofThreeProcesses(nodeOptions));
    }
    List<Competitor> known = Competitor.peers();
    for (String name : peers) {
      competitors.add(
          known.stream()
              .filter(peer -> peer.name().equals(name))
              .findFirst()
              .orElseThrow(() -> wrong(unknownPeer(name, known))));
    }
    return inMemory ? competitors.stream().<Competitor>map(InMemory::new).toList() : competitors;
  }

  private static String unknownPeer(String name, List<Competitor> known) {
    return known.isEmpty()
        ? "--peers needs the jar of the profile: mvn -Ppeers package, in bench/target/peers"
        : "no such peer: " + name + "; there are " + known.stream().map(Competitor::name).toList();
  }

  private Place place(String text) {
    for (Place place : Place.values()) {
      if (place.toString().equals(text)) {
        return place;
      }
    }
    throw wrong("--place must be leader or follower: " + text);
  }

  private WorkFolder newFolder() {
    if (inMemory) {
      return WorkFolder.createIn(MEMORY);
    }
    return folder == null ? WorkFolder.create() : WorkFolder.createIn(folder);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static final class DurationOption implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
      try {
        return DurationNotation.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
