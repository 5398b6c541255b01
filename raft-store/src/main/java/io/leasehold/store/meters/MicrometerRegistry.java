package io.leasehold.store.meters;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;

/** The meters of one component of one member. Safe for many threads. */
final class MicrometerRegistry implements RatisMetricRegistry {

  private final MeterRegistry meters;
  private final MetricRegistryInfo info;
  private final Tags tags;
  private final Map<String, Timekeeper> timers = new ConcurrentHashMap<>();
  private final Map<String, LongCounter> counters = new ConcurrentHashMap<>();
  private final Map<String, Meter> known = new ConcurrentHashMap<>();

  MicrometerRegistry(MeterRegistry meters, MetricRegistryInfo info) {
    this.meters = meters;
    this.info = info;
    this.tags = Tags.of("member", info.getPrefix());
  }

  @Override
  public Timekeeper timer(String name) {
    return timers.computeIfAbsent(name, this::newTimer);
  }

  private Timekeeper newTimer(String name) {
    Timer timer = meters.timer(fullName(name), tags);
    known.put(name, timer);
    return () -> {
      long startNanos = System.nanoTime();
      return () -> {
        long nanos = System.nanoTime() - startNanos;
        timer.record(nanos, TimeUnit.NANOSECONDS);
        return nanos;
      };
    };
  }

  /** A gauge, for Ratis' counters also fall. */
  @Override
  public LongCounter counter(String name) {
    return counters.computeIfAbsent(name, this::newCounter);
  }

  private LongCounter newCounter(String name) {
    AtomicLong count = new AtomicLong();
    known.put(name, gaugeOf(name, count::get));
    return new LongCounter() {
      @Override
      public void inc(long n) {
        count.addAndGet(n);
      }

      @Override
      public void dec(long n) {
        count.addAndGet(-n);
      }

      @Override
      public long getCount() {
        return count.get();
      }
    };
  }

  /** A value that is no number, or cannot be told now, shows as none. */
  @Override
  public <T> void gauge(String name, Supplier<Supplier<T>> value) {
    Supplier<T> told = value.get();
    known.computeIfAbsent(
        name, key -> gaugeOf(key, () -> told.get() instanceof Number number ? number : Double.NaN));
  }

  private Gauge gaugeOf(String name, Supplier<Number> value) {
    return Gauge.builder(fullName(name), value).tags(tags).strongReference(true).register(meters);
  }

  private String fullName(String name) {
    return "ratis." + info.getMetricsComponentName() + "." + name;
  }

  @Override
  public boolean remove(String name) {
    timers.remove(name);
    counters.remove(name);
    Meter meter = known.remove(name);
    return meter != null && meters.remove(meter) != null;
  }

  void clear() {
    known.keySet().forEach(this::remove);
  }

  @Override
  public MetricRegistryInfo getMetricRegistryInfo() {
    return info;
  }
}
