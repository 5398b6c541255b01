package io.leasehold.harness.check.history;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * The first line of a history: what run this was, and what the judge has to know about it.
 *
 * @param format version of the format; this code reads and writes {@value #FORMAT}
 * @param seed what the run's choices came from
 * @param command how to run it again
 * @param started wall-clock time of the start, for people
 * @param nodes the nodes' ids
 * @param parameters what the rules are measured with
 * @param notes anything else for people, such as the means of fault injection
 */
public record HistoryHeader(
    int format,
    long seed,
    String command,
    String started,
    List<String> nodes,
    Parameters parameters,
    Map<String, String> notes) {

  /** The version of the format. */
  public static final int FORMAT = 1;

  public HistoryHeader {
    if (format != FORMAT) {
      throw new IllegalArgumentException(
          "format " + format + " is not known; this version reads format " + FORMAT);
    }
    requireNonNull(command, "command");
    started = started == null ? "" : started;
    nodes = List.copyOf(requireNonNull(nodes, "nodes"));
    parameters = parameters == null ? Parameters.defaults() : parameters;
    notes = notes == null ? Map.of() : Map.copyOf(notes);
  }

  /** A header in this version's format. */
  public static HistoryHeader of(
      long seed, String command, List<String> nodes, Parameters parameters) {
    return new HistoryHeader(FORMAT, seed, command, "", nodes, parameters, Map.of());
  }

  /**
   * What the rules are measured with. Rules of safety use only {@code drift}; the rest belongs to
   * rules that promise something within a time.
   *
   * @param drift how far a node's clock may run from real time, as a part of it
   * @param settleNanos how long after a fault's end the cluster may take to be itself again: an
   *     election and the first answers
   * @param answerNanos how long a call may take while nothing disturbs the cluster, and how long a
   *     waiter's entry into the queue
   * @param callbackNanos how long a loss may take from the holder's no to its handler
   * @param recoveryNanos how long after the last fault every node must have acquired and released
   */
  public record Parameters(
      @JsonProperty(required = true) double drift,
      @JsonProperty(required = true) long settleNanos,
      @JsonProperty(required = true) long answerNanos,
      @JsonProperty(required = true) long callbackNanos,
      @JsonProperty(required = true) long recoveryNanos) {

    public Parameters {
      if (!(drift >= 0 && drift < 1)) {
        throw new IllegalArgumentException("drift must be at least 0 and under 1: " + drift);
      }
      if (settleNanos < 0 || answerNanos < 0 || callbackNanos < 0 || recoveryNanos < 0) {
        throw new IllegalArgumentException("a parameter's time must not be negative");
      }
    }

    /**
     * The default margin's drift of a ninth; 6 s to settle; 3 s for an answer; 1 s for a handler;
     * 30 s to recover.
     */
    public static Parameters defaults() {
      return new Parameters(
          1.0 / 9, 6_000_000_000L, 3_000_000_000L, 1_000_000_000L, 30_000_000_000L);
    }
  }
}
