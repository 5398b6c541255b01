package io.leasehold.harness.chaos.relay;

import java.util.concurrent.TimeUnit;

/**
 * What a link does to what goes through it. Forward is from who connects to who is connected to.
 *
 * @param delayNanos how much later everything arrives
 * @param forwardStalled whether nothing arrives forward, until it is over
 * @param refused whether connections are reset
 * @param bytesPerSecond how much gets through, each way
 */
public record LinkCondition(
    long delayNanos,
    boolean forwardStalled,
    boolean backwardStalled,
    boolean refused,
    long bytesPerSecond) {

  /** Lets everything through. */
  public static final LinkCondition GOOD =
      new LinkCondition(0, false, false, false, Long.MAX_VALUE);

  /**
   * Reads one: {@code delay MILLIS}, {@code stall forward}, {@code stall backward}, {@code stall
   * both}, {@code refuse}, {@code rate BYTES}.
   */
  public static LinkCondition parse(String text) {
    String[] words = text.split(" ");
    String value = words.length > 1 ? words[1] : "";
    return switch (words[0]) {
      case "delay" ->
          new LinkCondition(
              TimeUnit.MILLISECONDS.toNanos(Long.parseLong(value)),
              false,
              false,
              false,
              Long.MAX_VALUE);
      case "stall" ->
          new LinkCondition(
              0, !value.equals("backward"), !value.equals("forward"), false, Long.MAX_VALUE);
      case "refuse" -> new LinkCondition(0, false, false, true, Long.MAX_VALUE);
      case "rate" -> new LinkCondition(0, false, false, false, Long.parseLong(value));
      default -> throw new IllegalArgumentException("no condition of a link: " + text);
    };
  }

  /** Both at once. */
  LinkCondition and(LinkCondition other) {
    return new LinkCondition(
        delayNanos + other.delayNanos,
        forwardStalled || other.forwardStalled,
        backwardStalled || other.backwardStalled,
        refused || other.refused,
        Math.min(bytesPerSecond, other.bytesPerSecond));
  }

  boolean isStalled(boolean forward) {
    return forward ? forwardStalled : backwardStalled;
  }
}
