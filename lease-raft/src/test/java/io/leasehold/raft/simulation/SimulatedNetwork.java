package io.leasehold.raft.simulation;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/**
 * Carries messages between nodes, as badly as it is told to: late, in another order, twice, or not
 * at all. A link can be cut in one direction. Confined to the world's thread.
 */
public final class SimulatedNetwork {

  private final World world;
  private final Set<Link> cut = new HashSet<>();
  private final Set<Link> held = new HashSet<>();
  private final Queue<Runnable> heldBack = new ArrayDeque<>();
  private Weather weather = Weather.QUIET;

  SimulatedNetwork(World world) {
    this.world = world;
  }

  /**
   * How the network behaves.
   *
   * @param delayNanosMin shortest time a message takes
   * @param delayNanosMax longest time a message usually takes
   * @param lossChance how often one never arrives
   * @param twiceChance how often one arrives twice
   * @param lateChance how often one takes longer than usual
   * @param lateNanosMax how long that is at most
   */
  public record Weather(
      long delayNanosMin,
      long delayNanosMax,
      double lossChance,
      double twiceChance,
      double lateChance,
      long lateNanosMax) {

    /** Each message takes half a millisecond. */
    public static final Weather QUIET = new Weather(500_000, 500_000, 0, 0, 0, 0);
  }

  /** Makes the network behave otherwise from now on. */
  public void setWeather(Weather newWeather) {
    weather = newWeather;
  }

  /** Lets nothing pass from one node to another. */
  public void cut(String from, String to) {
    cut.add(new Link(from, to));
  }

  /** Holds back what passes from one node to another, until all links are mended. */
  public void hold(String from, String to) {
    held.add(new Link(from, to));
  }

  /** Lets messages pass again. */
  public void mend(String from, String to) {
    cut.remove(new Link(from, to));
  }

  /** Mends all links. */
  public void mendAll() {
    cut.clear();
    held.clear();
    for (Runnable delivery = heldBack.poll(); delivery != null; delivery = heldBack.poll()) {
      delivery.run();
    }
  }

  /** Whether a message could pass now. */
  public boolean passes(String from, String to) {
    return from.equals(to) || !cut.contains(new Link(from, to));
  }

  /** Whether two nodes hear each other now. */
  public boolean connects(String one, String other) {
    return passes(one, other) && passes(other, one);
  }

  /**
   * Sends a message; a node's messages to itself always arrive.
   *
   * @param delivery what happens when it arrives
   */
  public void send(String from, String to, Runnable delivery) {
    if (from.equals(to)) {
      world.after(world.between(0, weather.delayNanosMin), delivery);
      return;
    }
    if (!passes(from, to) || world.chance(weather.lossChance)) {
      world.count(Occurrence.MESSAGE_LOST);
      return;
    }
    carry(from, to, delivery);
    if (world.chance(weather.twiceChance)) {
      world.count(Occurrence.MESSAGE_TWICE);
      carry(from, to, delivery);
    }
  }

  private void carry(String from, String to, Runnable delivery) {
    long delayNanos = world.between(weather.delayNanosMin, weather.delayNanosMax);
    if (world.chance(weather.lateChance)) {
      world.count(Occurrence.MESSAGE_LATE);
      delayNanos = world.between(weather.delayNanosMax, weather.lateNanosMax);
    }
    world.after(
        delayNanos,
        () -> {
          if (held.contains(new Link(from, to))) {
            heldBack.add(delivery);
          } else if (passes(from, to)) {
            delivery.run();
          }
        });
  }

  private record Link(String from, String to) {}
}
