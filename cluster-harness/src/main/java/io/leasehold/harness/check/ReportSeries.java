package io.leasehold.harness.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Throughput and latency over the time of a run. Latency is that of calls that do not wait for
 * anybody: tries and releases that were answered.
 *
 * @param binNanos how long each bin is
 * @param ok calls answered with yes, by the bin of their return; likewise the others
 * @param p50 median latency in microseconds; -1 in a bin without calls
 */
record ReportSeries(
    long binNanos,
    List<Long> ok,
    List<Long> refused,
    List<Long> failed,
    List<Long> unknown,
    List<Long> p50,
    List<Long> p99,
    List<Latency> latencies) {

  private static final int BINS = 150;
  private static final long BIN_NANOS_MIN = 200_000_000L;
  private static final long HIGHEST_MICROS = 600_000_000L;

  /** Percentiles of one kind of call, in microseconds. */
  record Latency(String call, long count, long p50, long p90, long p99, long p999, long max) {}

  static ReportSeries of(History history) {
    return new Counting(history).series();
  }

  private static final class Counting {
    private final long binNanos;
    private final long[] ok;
    private final long[] refused;
    private final long[] failed;
    private final long[] unknown;
    private final List<Histogram> byBin = new ArrayList<>();
    private final Map<String, Histogram> byCall = new TreeMap<>();

    Counting(History history) {
      binNanos = Math.max(BIN_NANOS_MIN, history.endedAt() / BINS);
      int bins = (int) (history.endedAt() / binNanos) + 1;
      ok = new long[bins];
      refused = new long[bins];
      failed = new long[bins];
      unknown = new long[bins];
      for (int i = 0; i < bins; i++) {
        byBin.add(histogram());
      }
      for (LeaseHistory lease : history.leases()) {
        lease.calls().stream().filter(call -> call.end() != null).forEach(this::count);
      }
    }

    private void count(Call call) {
      int bin = (int) Math.min(Math.max(0, call.returnedAt()) / binNanos, ok.length - 1);
      long[] counts =
          call.isRefusal() ? refused : call.isFailed() ? failed : call.isUnknown() ? unknown : ok;
      counts[bin]++;
      if (call.isOk()) {
        boolean waits = call.invoke().waitNanos() > 0;
        long micros =
            Math.min(Math.max(0, call.returnedAt() - call.invokedAt()) / 1_000, HIGHEST_MICROS);
        byCall
            .computeIfAbsent(waits ? "acquire with wait" : name(call), none -> histogram())
            .recordValue(micros);
        if (!waits) {
          byBin.get(bin).recordValue(micros);
        }
      }
    }

    private static String name(Call call) {
      return switch (call.invoke().op()) {
        case ACQUIRE -> "acquire";
        case RELEASE -> "release";
        case REVOKE -> "revoke";
      };
    }

    private static Histogram histogram() {
      return new Histogram(HIGHEST_MICROS, 2);
    }

    ReportSeries series() {
      List<Latency> latencies = new ArrayList<>();
      byCall.forEach((call, histogram) -> latencies.add(latency(call, histogram)));
      return new ReportSeries(
          binNanos,
          list(ok),
          list(refused),
          list(failed),
          list(unknown),
          percentile(50),
          percentile(99),
          latencies);
    }

    private static List<Long> list(long[] values) {
      return Arrays.stream(values).boxed().toList();
    }

    private List<Long> percentile(double percentile) {
      return byBin.stream()
          .map(bin -> bin.getTotalCount() == 0 ? -1L : bin.getValueAtPercentile(percentile))
          .toList();
    }

    private static Latency latency(String call, Histogram histogram) {
      return new Latency(
          call,
          histogram.getTotalCount(),
          histogram.getValueAtPercentile(50),
          histogram.getValueAtPercentile(90),
          histogram.getValueAtPercentile(99),
          histogram.getValueAtPercentile(99.9),
          histogram.getMaxValue());
    }
  }
}
