package io.leasehold.harness.shards;

import java.util.List;

/**
 * A region's answer to a coordinator that takes over.
 *
 * @param verdict whether it obeys that coordinator
 * @param region its present life
 * @param allocations all that it has accepted in this life; empty unless the verdict is {@link
 *     Verdict#ACCEPTED}
 */
record RegionReport(Verdict verdict, RegionId region, List<Allocation> allocations) {

  RegionReport {
    allocations = List.copyOf(allocations);
  }

  /** The answer of a node whose region does not live at present. */
  static RegionReport gone(String node) {
    return new RegionReport(Verdict.GONE, new RegionId(node, 0), List.of());
  }
}
