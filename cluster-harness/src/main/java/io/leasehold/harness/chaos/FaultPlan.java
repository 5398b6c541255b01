package io.leasehold.harness.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * What harm is done when, decided from a seed before anything starts; only the victim of some kinds
 * (whoever leads, holds, or runs the singleton's task) is found out at the time. Faults come in
 * flurries, so that they overlap, with calm between, so that promises about time have something to
 * be judged by; and the run ends with calm.
 *
 * @param faults in the order of their beginnings
 * @param end from when on no fault is active
 */
record FaultPlan(List<Planned> faults, Duration end) {

  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final int FLURRY = 6;
  private static final String AT = "at";
  private static final String TASK = "task";

  /** Every other one of these is done to the node that runs the singleton's task. */
  private static final Set<FaultKind> AIMED =
      EnumSet.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.PARTITION, FaultKind.RESTART);

  /**
   * One fault.
   *
   * @param at when it begins, since the start of the run
   * @param length how long it lasts
   * @param victim which node, by its place; kinds that look for theirs ignore it
   * @param parameters what else there is to choose
   */
  record Planned(
      FaultKind kind, Duration at, Duration length, int victim, Map<String, String> parameters) {
    Planned {
      parameters = Map.copyOf(parameters);
    }

    String parameter(String name) {
      return parameters.getOrDefault(name, "");
    }

    /** Whether it is to be done to the node on which the singleton's task runs, if there is one. */
    boolean isAimedAtTheTask() {
      return parameter(AT).equals(TASK);
    }

    Duration until() {
      return at.plus(length);
    }
  }

  FaultPlan {
    faults = List.copyOf(faults);
  }

  /** The plan for a seed; {@link FaultKind#DRIFT} is none of its faults, for it is always there. */
  static FaultPlan of(long seed, Duration duration, Set<FaultKind> kinds, int nodes) {
    return new Choice(seed, duration, kinds, nodes).plan();
  }

  /** How long the calm at the end of a run is. */
  static Duration calmAtTheEnd(Duration duration) {
    return min(Duration.ofSeconds(25), duration.dividedBy(3));
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static final class Choice {
    private final Random random;
    private final Random aim;
    private final Duration duration;
    private final List<FaultKind> kinds;
    private final int nodes;
    private final List<FaultKind> deck = new ArrayList<>();

    Choice(long seed, Duration duration, Set<FaultKind> kinds, int nodes) {
      this.random = new Random(seed);
      this.aim = new Random(~seed);
      this.duration = duration;
      this.kinds = kinds.stream().filter(kind -> kind != FaultKind.DRIFT).sorted().toList();
      this.nodes = nodes;
    }

    FaultPlan plan() {
      Duration end = duration.minus(calmAtTheEnd(duration));
      List<Planned> faults = new ArrayList<>();
      Duration at = FIRST;
      while (!kinds.isEmpty() && at.compareTo(end) < 0) {
        Planned fault = fault(at, end.minus(at));
        faults.add(fault);
        boolean calmNext = faults.size() % FLURRY == 0;
        at =
            calmNext
                ? latestEnd(faults).plusMillis(7_000 + random.nextInt(3_000))
                : at.plusMillis(400 + random.nextInt(2_600));
      }
      return new FaultPlan(faults, end);
    }

    private static Duration latestEnd(List<Planned> faults) {
      return faults.stream().map(Planned::until).max(Duration::compareTo).orElse(FIRST);
    }

    /** Each kind comes once before any comes again, so that a short run meets many. */
    private FaultKind next() {
      if (deck.isEmpty()) {
        deck.addAll(kinds);
      }
      return deck.remove(random.nextInt(deck.size()));
    }

    private Planned fault(Duration at, Duration left) {
      FaultKind kind = next();
      Map<String, String> parameters = new TreeMap<>();
      Duration length =
          switch (kind) {
            case KILL, RESTART, RESTART_ALL, WIPE -> millis(500, 4_000);
            case PAUSE -> pause();
            case PARTITION -> {
              parameters.put("direction", oneOf("both", "in", "out"));
              parameters.put("by", oneOf("silence", "silence", "reset"));
              yield millis(1_000, 9_000);
            }
            case HOLDER, LEADER -> {
              parameters.put("direction", oneOf("both", "both", "in", "out"));
              parameters.put("by", "silence");
              yield millis(2_000, 9_000);
            }
            case SLOW -> {
              parameters.put("rate", oneOf("128kbit", "256kbit", "1mbit"));
              yield millis(3_000, 8_000);
            }
            case DELAY -> {
              parameters.put("how", oneOf("delay 20", "delay 100", "delay 400", "stall both"));
              yield millis(3_000, 8_000);
            }
            case TRANSFER -> Duration.ofSeconds(1);
            case LOSSY -> {
              parameters.put("loss", oneOf("0.05", "0.15", "0.3"));
              yield millis(3_000, 8_000);
            }
            case WALL -> {
              parameters.put("seconds", oneOf("-86400", "-3600", "-30", "30", "3600", "86400"));
              yield millis(1_000, 8_000);
            }
            case FSYNC -> {
              parameters.put("mode", oneOf("delay 200", "delay 700", "delay 2500", "eio"));
              yield millis(1_500, 6_000);
            }
            case DISK -> millis(1_500, 5_000);
            case POWER -> {
              parameters.put("scope", oneOf("one", "all"));
              yield millis(500, 4_000);
            }
            case DRIFT -> throw new IllegalStateException("drift is not planned, it is there");
          };
      if (AIMED.contains(kind) && aim.nextBoolean()) {
        parameters.put(AT, TASK);
      }
      return new Planned(kind, at, min(length, left), random.nextInt(nodes), parameters);
    }

    /** Ratis reacts to pauses of ten and of sixty seconds. */
    private Duration pause() {
      boolean roomForLong = duration.compareTo(Duration.ofSeconds(90)) >= 0;
      boolean roomForVeryLong = duration.compareTo(Duration.ofMinutes(5)) >= 0;
      int choice = random.nextInt(10);
      if (roomForVeryLong && choice == 0) {
        return Duration.ofSeconds(70);
      }
      if (roomForLong && choice < 3) {
        return Duration.ofSeconds(12);
      }
      return choice < 6 ? Duration.ofSeconds(1) : millis(2_000, 5_000);
    }

    private Duration millis(int least, int most) {
      return Duration.ofMillis(least + random.nextInt(most - least + 1));
    }

    private String oneOf(String... choices) {
      return choices[random.nextInt(choices.length)];
    }
  }
}
