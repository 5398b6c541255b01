package io.leasehold.store.meters;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.junit.jupiter.api.Test;

class MicrometerRegistriesTest {

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final MicrometerRegistries registries = new MicrometerRegistries(meters);

  @Test
  void ratisFindsThem() {
    assertThat(MetricRegistries.global()).isInstanceOf(MicrometerRegistries.class);
  }

  @Test
  void timesAreToldWithTheMember() {
    RatisMetricRegistry registry = registries.create(info("n1@group", "log_worker"));

    long nanos = registry.timer("flushTime").time().stop();
    registry.timer("flushTime").time().stop();

    var timer = meters.get("ratis.log_worker.flushTime").tag("member", "n1@group").timer();
    assertThat(timer.count()).isEqualTo(2);
    assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isGreaterThanOrEqualTo((double) nanos);
  }

  @Test
  void countersRiseAndFall() {
    LongCounter counter = registries.create(info("n1@group", "server")).counter("pending");

    counter.inc();
    counter.inc(4);
    counter.dec(2);

    assertThat(counter.getCount()).isEqualTo(3);
    assertThat(meters.get("ratis.server.pending").gauge().value()).isEqualTo(3);
  }

  @Test
  void gaugeOfNoNumberOrWithoutAnAnswerShowsNoValue() {
    RatisMetricRegistry registry = registries.create(info("n1@group", "server"));
    registry.gauge("index", () -> () -> 42L);
    registry.gauge("leader", () -> () -> "n2");
    registry.gauge(
        "gone",
        () ->
            () -> {
              throw new IllegalStateException("the server is closed");
            });

    assertThat(meters.get("ratis.server.index").gauge().value()).isEqualTo(42);
    assertThat(meters.get("ratis.server.leader").gauge().value()).isNaN();
    assertThat(meters.get("ratis.server.gone").gauge().value()).isNaN();
  }

  @Test
  void metersOfAMemberEndWithTheLastUserOfThem() {
    MetricRegistryInfo info = info("n1@group", "server");
    RatisMetricRegistry registry = registries.create(info);
    assertThat(registries.create(info)).isSameAs(registry);
    registry.counter("one").inc();
    registry.timer("two").time().stop();
    registries.create(info("n2@group", "server")).counter("one").inc();

    assertThat(registries.remove(info)).isFalse();
    assertThat(meters.getMeters()).hasSize(3);
    assertThat(registries.remove(info)).isTrue();

    assertThat(meters.getMeters()).hasSize(1);
    assertThat(registries.get(info)).isEmpty();
    assertThat(registries.remove(info)).isFalse();
  }

  @Test
  void meterThatWasRemovedBeginsAnew() {
    RatisMetricRegistry registry = registries.create(info("n1@group", "server"));
    registry.counter("pending").inc(5);

    assertThat(registry.remove("pending")).isTrue();
    registry.counter("pending").inc();

    assertThat(meters.get("ratis.server.pending").gauge().value()).isEqualTo(1);
    assertThat(registry.remove("never was")).isFalse();
  }

  private static MetricRegistryInfo info(String member, String component) {
    return new MetricRegistryInfo(member, "ratis", component, "for the test");
  }
}
