package io.leasehold.harness.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The time in which nothing disturbed the cluster. Promises that something happens within a time
 * are measured in it: a fault, and the moment of settling after it, stop that clock. Immutable.
 */
final class Calm {

  /** A time in which something was wrong. */
  record Disturbance(long from, long to) {}

  /** Starts and ends of the disturbances, merged and in order. */
  private final long[] starts;

  private final long[] ends;

  Calm(List<Disturbance> disturbances, long settleNanos) {
    List<Disturbance> sorted = new ArrayList<>(disturbances);
    sorted.sort(Comparator.comparingLong(Disturbance::from));
    List<long[]> merged = new ArrayList<>();
    for (Disturbance next : sorted) {
      long end = plus(next.to(), settleNanos);
      long[] last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && next.from() <= last[1]) {
        last[1] = Math.max(last[1], end);
      } else {
        merged.add(new long[] {next.from(), end});
      }
    }
    starts = merged.stream().mapToLong(window -> window[0]).toArray();
    ends = merged.stream().mapToLong(window -> window[1]).toArray();
  }

  /** The instant at which {@code calmNanos} of calm have passed since {@code from}. */
  long after(long from, long calmNanos) {
    if (from == Call.NEVER) {
      return Call.NEVER;
    }
    long now = from;
    long left = calmNanos;
    for (int i = firstEndingAfter(from); i < starts.length; i++) {
      long calmUntil = Math.max(starts[i], now);
      if (calmUntil - now >= left) {
        return plus(now, left);
      }
      left -= calmUntil - now;
      now = ends[i];
      if (now == Call.NEVER) {
        return Call.NEVER;
      }
    }
    return plus(now, left);
  }

  /** Whether nothing disturbed at any time between the two. */
  boolean between(long from, long to) {
    int i = firstEndingAfter(from);
    return i == starts.length || starts[i] > to;
  }

  private int firstEndingAfter(long instant) {
    int i = Arrays.binarySearch(ends, instant);
    return i < 0 ? -i - 1 : i + 1;
  }

  private static long plus(long instant, long nanos) {
    return instant > Call.NEVER - nanos ? Call.NEVER : instant + nanos;
  }
}
