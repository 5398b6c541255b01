package io.leasehold.store.meters;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.util.TimeDuration;

/**
 * Ratis' own meters as Micrometer's, in {@link Metrics#globalRegistry}: an application that wants
 * them adds its registry there. While nobody does they cost next to nothing, unlike the reservoirs
 * of samples that Ratis brings along. Ratis finds this class by {@link java.util.ServiceLoader}.
 * Safe for many threads.
 *
 * <p>A meter is called {@code ratis.COMPONENT.NAME} and has the tag {@code member}, the node and
 * its group. It is removed when the node closes.
 */
public final class MicrometerRegistries extends MetricRegistries {

  private final MeterRegistry meters;
  private final Map<MetricRegistryInfo, Shared> registries = new HashMap<>();

  /** Used by Ratis. */
  public MicrometerRegistries() {
    this(Metrics.globalRegistry);
  }

  MicrometerRegistries(MeterRegistry meters) {
    this.meters = meters;
  }

  @Override
  public synchronized RatisMetricRegistry create(MetricRegistryInfo info) {
    Shared shared =
        registries.computeIfAbsent(info, key -> new Shared(new MicrometerRegistry(meters, key)));
    shared.users++;
    return shared.registry;
  }

  @Override
  public synchronized boolean remove(MetricRegistryInfo info) {
    Shared shared = registries.get(info);
    if (shared == null || --shared.users > 0) {
      return false;
    }
    registries.remove(info);
    shared.registry.clear();
    return true;
  }

  @Override
  public synchronized void clear() {
    registries.values().forEach(shared -> shared.registry.clear());
    registries.clear();
  }

  @Override
  public synchronized Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
    return Optional.ofNullable(registries.get(info)).map(shared -> shared.registry);
  }

  @Override
  public synchronized Set<MetricRegistryInfo> getMetricRegistryInfos() {
    return Set.copyOf(registries.keySet());
  }

  @Override
  public synchronized Collection<RatisMetricRegistry> getMetricRegistries() {
    List<RatisMetricRegistry> all = new ArrayList<>();
    registries.values().forEach(shared -> all.add(shared.registry));
    return all;
  }

  /** Does nothing: to report is Micrometer's work. */
  @Override
  public void addReporterRegistration(
      Consumer<RatisMetricRegistry> start, Consumer<RatisMetricRegistry> stop) {}

  /** Does nothing: add a JMX registry to Micrometer's. */
  @Override
  public void enableJmxReporter() {}

  /** Does nothing: add a logging registry to Micrometer's. */
  @Override
  public void enableConsoleReporter(TimeDuration consoleReportRate) {}

  /** Ratis creates a registry for each user of it, and counts on getting the same one. */
  private static final class Shared {

    private final MicrometerRegistry registry;
    private int users;

    Shared(MicrometerRegistry registry) {
      this.registry = registry;
    }
  }
}
