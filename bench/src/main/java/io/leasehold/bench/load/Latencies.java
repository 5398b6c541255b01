package io.leasehold.bench.load;

import org.HdrHistogram.Histogram;

/** The form in which every latency here is kept: 1 µs to 2 min, to one part in a hundred. */
final class Latencies {

  private static final long LEAST_NANOS = 1_000;
  private static final long MOST_NANOS = 120_000_000_000L;
  private static final double NANOS_PER_MILLI = 1e6;

  private Latencies() {}

  static Histogram histogram() {
    return new Histogram(LEAST_NANOS, MOST_NANOS, 2);
  }

  static void record(Histogram nanos, long value) {
    nanos.recordValue(Math.min(value, MOST_NANOS));
  }

  static double millis(Histogram nanos, double percentile) {
    return nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }
}
