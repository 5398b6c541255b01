package io.leasehold.raft.simulation;

import io.leasehold.raft.HolderSide;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * What a run is made of; all of it follows from the seed.
 *
 * @param weather how the network behaves until the last fault
 * @param behaviour how members behave until the last fault
 * @param nodes how many nodes, each with a replica and a holder's side
 * @param leases how many leases are contended for
 * @param usersPerNode how many users of each node contend for them
 * @param sharedOwners whether users of different nodes have the same owner names
 * @param ttlMin the shortest time to live
 * @param ttlMax the longest time to live
 * @param clockSpread how far rates of clocks are off, at most {@link #DRIFT_MAX}
 * @param extremeClocks whether clocks go as fast or as slowly as they may, and not between
 * @param bootClock whether nodes go by a clock that counts suspends, and not by a watch for them
 * @param faultPause the mean time between two faults
 * @param thinkPause the longest time between two calls of a user
 * @param storm how long there are faults
 */
record Plan(
    long seed,
    SimulatedNetwork.Weather weather,
    SimulatedGroup.Behaviour behaviour,
    int nodes,
    int leases,
    int usersPerNode,
    boolean sharedOwners,
    Duration ttlMin,
    Duration ttlMax,
    double clockSpread,
    boolean extremeClocks,
    boolean bootClock,
    Duration faultPause,
    Duration thinkPause,
    Duration storm) {

  /**
   * How far a clock's rate may be off: a margin of a fifth covers this much (CORRECTNESS.md,
   * theorem 1).
   */
  static final double DRIFT_MAX = 0.111;

  /** Short timeouts, so that they are met often. */
  static final HolderSide.Patience PATIENCE =
      new HolderSide.Patience(
          HolderSide.MARGIN, Duration.ofSeconds(2), Duration.ofSeconds(6), Duration.ofSeconds(1));

  static Plan of(long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ 0x5DEECE66DL);
    Duration ttlMin = millis(random, 500, 1_500);
    return new Plan(
        seed,
        weather(random),
        behaviour(random),
        random.nextInt(5) == 0 ? 5 : 3,
        random.nextInt(1, 4),
        random.nextInt(1, 4),
        random.nextInt(4) == 0,
        ttlMin,
        ttlMin.plus(millis(random, 1, 1_500)),
        random.nextBoolean() ? DRIFT_MAX : DRIFT_MAX * random.nextDouble(),
        random.nextBoolean(),
        random.nextBoolean(),
        millis(random, 100, 1_500),
        random.nextInt(3) == 0 ? millis(random, 2_000, 8_000) : millis(random, 50, 1_000),
        Duration.ofSeconds(12));
  }

  private static SimulatedNetwork.Weather weather(SplittableRandom random) {
    return new SimulatedNetwork.Weather(
        random.nextLong(100_000, 1_000_000),
        random.nextLong(1_000_000, 50_000_000),
        oneOf(random, 0, 0, 0.01, 0.1),
        oneOf(random, 0, 0.02, 0.2),
        oneOf(random, 0, 0.01, 0.05),
        random.nextLong(60_000_000, 5_000_000_000L));
  }

  private static SimulatedGroup.Behaviour behaviour(SplittableRandom random) {
    return new SimulatedGroup.Behaviour(
        random.nextLong(200_000, 1_000_000),
        random.nextLong(1_000_000, 30_000_000),
        random.nextBoolean() ? 0 : random.nextLong(1_000_000, 500_000_000),
        oneOf(random, 0, 0.3, 1),
        oneOf(random, 0, 0.3, 1));
  }

  private static double oneOf(SplittableRandom random, double... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static Duration millis(SplittableRandom random, int from, int to) {
    return Duration.ofMillis(random.nextInt(from, to));
  }
}
