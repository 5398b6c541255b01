package io.leasehold.raft.meters;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Where the meters of one node are put, and from where they are taken when it closes. Safe for many
 * threads.
 */
final class MeterShelf implements AutoCloseable {

  private final MeterRegistry registry;
  private final Tags tags;
  private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();

  /** What Micrometer asks, and holds only weakly. */
  private final Queue<Object> asked = new ConcurrentLinkedQueue<>();

  /**
   * @param tags of all of them
   */
  MeterShelf(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  Timer timer(NodeMeter meter, Tags own) {
    return kept(
        Timer.builder(meter.meterName())
            .description(meter.description())
            .tags(tags.and(own))
            .register(registry));
  }

  DistributionSummary summary(NodeMeter meter) {
    return kept(
        DistributionSummary.builder(meter.meterName())
            .description(meter.description())
            .baseUnit(meter.unit())
            .tags(tags)
            .register(registry));
  }

  Counter counter(NodeMeter meter, Tags own) {
    return kept(
        Counter.builder(meter.meterName())
            .description(meter.description())
            .tags(tags.and(own))
            .register(registry));
  }

  /** A counter that is asked when it is looked at, for what must cost nothing where it happens. */
  void counter(NodeMeter meter, Tags own, DoubleSupplier count) {
    FunctionCounter.Builder<DoubleSupplier> builder =
        FunctionCounter.builder(meter.meterName(), count, DoubleSupplier::getAsDouble)
            .description(meter.description())
            .tags(tags.and(own));
    FunctionCounter unused =
        kept(
            (meter.unit().isEmpty() ? builder : builder.baseUnit(meter.unit())).register(registry));
    asked.add(count);
  }

  void timer(NodeMeter meter, LongSupplier count, DoubleSupplier totalSeconds) {
    ToDoubleFunction<LongSupplier> total = unused -> totalSeconds.getAsDouble();
    FunctionTimer unused =
        kept(
            FunctionTimer.builder(
                    meter.meterName(), count, LongSupplier::getAsLong, total, TimeUnit.SECONDS)
                .description(meter.description())
                .tags(tags)
                .register(registry));
    asked.add(count);
  }

  void gauge(NodeMeter meter, Tags own, DoubleSupplier value) {
    Gauge.Builder<?> builder =
        Gauge.builder(meter.meterName(), value::getAsDouble)
            .description(meter.description())
            .tags(tags.and(own))
            .strongReference(true);
    Gauge unused =
        kept(
            (meter.unit().isEmpty() ? builder : builder.baseUnit(meter.unit())).register(registry));
  }

  private <M extends Meter> M kept(M meter) {
    meters.add(meter);
    return meter;
  }

  /** Takes all of them away. */
  @Override
  public void close() {
    for (Meter meter = meters.poll(); meter != null; meter = meters.poll()) {
      Meter unused = registry.remove(meter);
    }
    asked.clear();
  }
}
