package io.leasehold.harness.node;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.http.HttpAccess;
import io.leasehold.harness.http.HttpStartException;
import io.leasehold.harness.http.MemberControl;
import io.leasehold.harness.http.NodeHttp;
import io.leasehold.raft.NodeHealth;
import io.leasehold.raft.RaftLeases;
import io.leasehold.raft.RaftLeasesConfig;
import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.StoreStatus;
import io.leasehold.store.TableDigest;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One node: a member of the store, its leases, and HTTP in front of them. Safe for many threads.
 */
final class HarnessNode implements AutoCloseable {

  private final RaftLeases leases;
  private final NodeHttp http;
  private final HostPort at;
  private final PrometheusMeterRegistry registry;
  private final JvmGcMetrics gcMetrics;

  private HarnessNode(
      RaftLeases leases,
      NodeHttp http,
      HostPort at,
      PrometheusMeterRegistry registry,
      JvmGcMetrics gcMetrics) {
    this.leases = leases;
    this.http = http;
    this.at = at;
    this.registry = registry;
    this.gcMetrics = gcMetrics;
  }

  /**
   * Starts a node; returns when it serves HTTP, without waiting for the other members.
   *
   * @throws StoreStartException or {@link HttpStartException} with one sentence on what is wrong
   */
  static HarnessNode start(NodeOptions options) {
    HttpAccess access = HttpAccess.of(options.http(), options.security().httpToken());
    NodeHttp.requireFree(options.http());
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    RaftLeases leases = RaftLeases.builder(config(options)).meters(registry).start();
    Metrics.addRegistry(registry);
    JvmGcMetrics gcMetrics = new JvmGcMetrics();
    try {
      gcMetrics.bindTo(registry);
      new JvmMemoryMetrics().bindTo(registry);
      new JvmThreadMetrics().bindTo(registry);
      new ProcessorMetrics().bindTo(registry);
      new UptimeMetrics().bindTo(registry);
      NodeHttp http =
          NodeHttp.start(options.http(), access, options.id(), leases, control(leases), registry);
      HostPort at = new HostPort(options.http().host(), http.port());
      return new HarnessNode(leases, http, at, registry, gcMetrics);
    } catch (RuntimeException e) {
      gcMetrics.close();
      Metrics.removeRegistry(registry);
      leases.close();
      throw e;
    }
  }

  private static RaftLeasesConfig config(NodeOptions options) {
    StoreConfig store = options.store();
    return RaftLeasesConfig.of(store.cluster(), store.nodeId(), store.members(), store.folder())
        .withStore(store);
  }

  private static MemberControl control(RaftLeases leases) {
    return new MemberControl() {
      @Override
      public StoreStatus status() {
        return leases.status();
      }

      @Override
      public CompletionStage<NodeHealth> health() {
        return leases.health();
      }

      @Override
      public CompletionStage<Boolean> transferLeadership(String to) {
        return leases.transferLeadership(to);
      }

      @Override
      public CompletionStage<Void> addMember(Member added) {
        return leases.addMember(added);
      }

      @Override
      public CompletionStage<Void> removeMember(String id) {
        return leases.removeMember(id);
      }

      @Override
      public CompletionStage<Long> snapshot() {
        return leases.snapshot();
      }

      @Override
      public CompletionStage<Long> backup(Path file) {
        return leases.backup(file);
      }

      @Override
      public CompletionStage<TableDigest> digestAt(long index) {
        return leases.digestAt(index);
      }
    };
  }

  /** Why it does not serve yet; empty once it does. */
  Optional<String> waitsFor() {
    return leases.status().waitsFor();
  }

  /** Where its HTTP interface listens. */
  HostPort http() {
    return at;
  }

  /**
   * Ends it in order: the streams first, then all leases, while calls under way are still answered,
   * then HTTP.
   */
  @Override
  public void close() {
    http.endStreams();
    leases.close();
    http.close();
    gcMetrics.close();
    Metrics.removeRegistry(registry);
    registry.close();
  }
}
