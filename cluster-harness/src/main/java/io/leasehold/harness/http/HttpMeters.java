package io.leasehold.harness.http;

import io.leasehold.LeaseLost;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/**
 * The meters of the HTTP interface.
 *
 * <table>
 *   <caption>All of them</caption>
 *   <tr><th>name</th><th>tags</th><th>counts</th></tr>
 *   <tr><td>{@code leasehold.http.acquires}</td><td>{@code outcome}: granted, refused, failed,
 *     cancelled</td><td>acquires that ended</td></tr>
 *   <tr><td>{@code leasehold.http.losses}</td><td>{@code reason} of {@link
 *     LeaseLost.Reason}</td><td>losses that owners here were told of</td></tr>
 *   <tr><td>{@code leasehold.http.held}</td><td></td><td>leases that owners here hold now</td></tr>
 *   <tr><td>{@code leasehold.http.handles}</td><td></td><td>handles that are kept</td></tr>
 *   <tr><td>{@code leasehold.http.streams}</td><td></td><td>readers of the event stream</td></tr>
 * </table>
 */
final class HttpMeters {

  private final MeterRegistry registry;

  HttpMeters(MeterRegistry registry) {
    this.registry = registry;
    for (String outcome : new String[] {"granted", "refused", "failed", "cancelled"}) {
      acquires(outcome);
    }
    for (LeaseLost.Reason reason : LeaseLost.Reason.values()) {
      losses(reason);
    }
  }

  void acquireEnded(String outcome) {
    acquires(outcome).increment();
  }

  void lost(LeaseLost.Reason reason) {
    losses(reason).increment();
  }

  /** Watches what is there now; the registry is read on the loop. */
  void watch(Handles handles, EventFeed feed) {
    Gauge.builder("leasehold.http.held", handles, Handles::held)
        .description("Leases that owners on this node hold now")
        .register(registry);
    Gauge.builder("leasehold.http.handles", handles, Handles::size)
        .description("Handles that are kept because they are held or asked for")
        .register(registry);
    Gauge.builder("leasehold.http.streams", feed, EventFeed::size)
        .description("Readers of the event stream")
        .register(registry);
  }

  private Counter acquires(String outcome) {
    return Counter.builder("leasehold.http.acquires")
        .description("Acquires over HTTP that ended")
        .tag("outcome", outcome)
        .register(registry);
  }

  private Counter losses(LeaseLost.Reason reason) {
    return Counter.builder("leasehold.http.losses")
        .description("Losses that owners on this node were told of")
        .tag("reason", reason.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .register(registry);
  }
}
