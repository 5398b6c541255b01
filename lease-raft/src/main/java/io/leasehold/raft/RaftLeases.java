package io.leasehold.raft;

import static java.util.Objects.requireNonNull;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import io.leasehold.concurrent.BeforeClose;
import io.leasehold.raft.meters.HolderMeters;
import io.leasehold.raft.meters.NodeMeters;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.Member;
import io.leasehold.store.PeerRefusal;
import io.leasehold.store.StoreNode;
import io.leasehold.store.StoreStatus;
import io.leasehold.store.TableDigest;
import io.leasehold.store.core.SessionId;
import io.leasehold.time.ExecutorTimer;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases for a cluster: this process embeds one replica of the store, and holds its leases by one
 * session. Safe for many threads.
 *
 * <pre>{@code
 * RaftLeases leases = RaftLeases.start(RaftLeasesConfig.of("shop", "n1", members, folder));
 * Lease lease = leases.lease(LeaseSettings.of("invoices", "n1", Duration.ofSeconds(10)));
 * }</pre>
 */
public final class RaftLeases implements LeaseProvider {

  private static final Logger LOG = LoggerFactory.getLogger(RaftLeases.class);

  /** How long a majority may take to answer. */
  private static final Duration HEALTH_LIMIT = Duration.ofMillis(1_500);

  private static final String PROBED_LEASE = "leasehold/health";

  private final LeaseStore store;
  private final LeaseNode node;
  private final RaftInspector inspector;
  private final HealthCheck healthCheck;
  private final long closeWaitNanos;
  private final List<AutoCloseable> closedLast;
  private final BeforeClose beforeClose = new BeforeClose();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * @param closedLast what was opened for this provider, in the order in which it is to be closed
   */
  RaftLeases(
      LeaseStore store,
      Ticker ticker,
      Timer timer,
      Executor callbacks,
      Supplier<SessionId> newSessionIds,
      HolderSettings settings,
      HolderMeters meters,
      List<AutoCloseable> closedLast) {
    this.store = store;
    this.node = new LeaseNode(store, ticker, timer, callbacks, newSessionIds, settings, meters);
    this.inspector = new RaftInspector(node, store);
    this.healthCheck =
        new HealthCheck(store::status, () -> inspector.find(PROBED_LEASE), timer, HEALTH_LIMIT);
    this.closeWaitNanos = settings.closeTimeout().plusMillis(500).toNanos();
    this.closedLast = new ArrayList<>(closedLast);
  }

  /**
   * Starts a node where it left off. A new cluster begins when all of its members, with empty
   * folders, have been up at once; from then on a majority is enough. A node with an empty folder
   * whose cluster has begun before serves nobody until it is added, for it would have forgotten
   * what a member of its name voted for: keep the folder on a disk that outlives the process.
   * Returns when the replica runs, without waiting for the others; calls made before there is a
   * quorum wait for it within their timeouts. The JVM runs on until the node is closed, also when
   * its main thread has ended.
   *
   * @throws io.leasehold.store.StoreStartException with one sentence on what is wrong and what to
   *     do: the port is in use, the folder belongs to another node, is not writable, is in use, is
   *     full or is not readable
   */
  public static RaftLeases start(RaftLeasesConfig config) {
    return builder(config).start();
  }

  /** Returns a builder for the wiring that few need. */
  public static Builder builder(RaftLeasesConfig config) {
    return new Builder(config);
  }

  @Override
  public Lease lease(LeaseSettings settings) {
    if (settings == null) {
      throw new InvalidLeaseArgumentException("settings", "must not be null");
    }
    if (node.isClosing()) {
      throw new IllegalStateException("This provider is closed; start a new one");
    }
    beforeClose.allow(settings.ttl());
    return new RaftLease(node, node.claimants().get(settings.name(), settings.owner()), settings);
  }

  @Override
  public LeaseInspector inspector() {
    return inspector;
  }

  @Override
  public Subscription beforeClose(Supplier<? extends CompletionStage<?>> stop) {
    return beforeClose.add(stop);
  }

  /** Returns what this node's replica knows of itself and the group; local, never blocks. */
  public StoreStatus status() {
    return store.status();
  }

  /**
   * How often this node has refused something of a kind since its start: calls to its port from
   * others than members, and members that it called and that could not show who they are.
   */
  public long refused(PeerRefusal kind) {
    return store.refused(kind);
  }

  /**
   * Looks whether this node can serve now, which takes a majority that answers it; what is wrong
   * though it serves, here or with another member; and what to do. Many who ask at once cost no
   * more than one.
   *
   * @return completes within two seconds, and never fails: good for a readiness probe. For a
   *     liveness probe only {@link NodeHealth#needsRestart} is
   */
  public CompletionStage<NodeHealth> health() {
    return onCallbacks(healthCheck.look());
  }

  /**
   * Has the leadership of the store handed over, whichever member leads now. Takes a few seconds at
   * most, during which calls may have to wait.
   *
   * @param to the id of the member that is to lead
   * @return completes with whether it leads now; fails with {@link LeaseUnavailableException} when
   *     nothing was tried, because no leader is known or that member does not answer
   * @throws InvalidLeaseArgumentException if it is none of the members
   */
  public CompletionStage<Boolean> transferLeadership(String to) {
    return onCallbacks(store.transferLeadership(to));
  }

  /**
   * Takes a node into the cluster as a member: a new one, or the one that takes the place of a
   * member of that name whose folder is lost. To be called on a member, not on that node; which has
   * to run, with an empty folder and the members in its configuration. It is sent all that the
   * others hold, and counts for a majority from then on, unless it was started {@link
   * io.leasehold.store.StoreConfig#asListener as a listener}. Leases are held and granted
   * meanwhile. Without effect for what is a member already. One change at a time; another one is
   * waited for up to ten seconds.
   *
   * @param member its id, and where the others reach it
   * @return completes when it is a member, in this node's {@link #status} too; with much to send
   *     that takes a while, and fails after two minutes. Fails with {@link
   *     LeaseUnavailableException}, whose message says what is in the way and what to do: it does
   *     not answer there, is another node, or is of another cluster
   */
  public CompletionStage<Void> addMember(Member member) {
    return onCallbacks(store.addMember(member));
  }

  /**
   * Takes a member, or a listener, out of the cluster for good; if it leads, another one does
   * first. Its node serves nobody any more, and learns of it within seconds; what it holds expires:
   * close it before, or soon after. To come back it needs an empty folder, and to be added.
   *
   * @param id of the member
   * @return completes when it is none any more; fails with {@link LeaseUnavailableException}, also
   *     when those that stay could decide nothing without it
   * @throws InvalidLeaseArgumentException at once, if it is no member, or the last one that votes
   */
  public CompletionStage<Void> removeMember(String id) {
    return onCallbacks(store.removeMember(id));
  }

  /**
   * Takes a snapshot of this node's replica now, so that its log up to there may be dropped; it
   * also does so on its own now and then.
   *
   * @return completes with the index of the last log entry in the newest snapshot; fails with
   *     {@link LeaseUnavailableException} if there is none after a few seconds
   */
  public CompletionStage<Long> snapshot() {
    return onCallbacks(store.snapshot());
  }

  /**
   * Returns a digest of this node's replica as one log entry has left it: for whoever wants to see
   * that replicas agree. Reads the whole table, and local state only.
   *
   * @param index of the entry. If more has been applied already, as for 0, the digest is of what
   *     there is now, and says of which entry
   * @return fails with {@link LeaseUnavailableException} if the replica does not get there in time,
   *     or cannot be read
   */
  public CompletionStage<TableDigest> digestAt(long index) {
    return onCallbacks(store.digestAt(index));
  }

  /**
   * Writes all that is held into a file, from which {@link io.leasehold.store.StoreNode#restore}
   * makes a new cluster: what was acknowledged to anybody before, or, when no majority answers in
   * time, what this node's replica has of it.
   *
   * @param file which must not be there yet; it is, whole and on disk, when this completes
   * @return completes with the index of the last log entry in it; fails with {@link
   *     LeaseUnavailableException}
   */
  public CompletionStage<Long> backup(Path file) {
    requireNonNull(file, "file");
    return onCallbacks(
        node.request(LeaseNode.BARRIER, "a read for a backup", false)
            .thenCompose(answer -> store.readAt(answer.index()))
            .handle((caughtUp, noMajority) -> file)
            .thenCompose(store::backup));
  }

  private <T> CompletionStage<T> onCallbacks(CompletionStage<T> source) {
    CompletableFuture<T> result = new CompletableFuture<>();
    var unused =
        source.whenComplete(
            (value, failure) ->
                node.complete(result, value, failure == null ? null : unavailable(failure)));
    return result;
  }

  private static LeaseUnavailableException unavailable(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return new LeaseUnavailableException(
        "The store has refused: " + (cause == null ? failure : cause).getMessage(), cause);
  }

  /**
   * Tells of each change of the leader as far as this node knows; empty when it knows of none. The
   * handler runs on the callback executor.
   */
  public Subscription onLeaderChange(Consumer<Optional<String>> handler) {
    requireNonNull(handler, "handler");
    return store.watch(new LeaderWatcher(node, handler));
  }

  boolean isClosed() {
    return closed.get();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    // A worker that is told to end by an interrupt closes all the same, and its leases are
    // released.
    boolean interrupted = Thread.interrupted();
    beforeClose.run();
    try {
      if (!node.close().get(closeWaitNanos, TimeUnit.NANOSECONDS)) {
        LOG.warn(
            "The store did not confirm the releases of this node in time; its leases end with their ttl");
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("The leases of this node could not be released in time; they end with their ttl", e);
    }
    for (AutoCloseable last : closedLast) {
      try {
        last.close();
      } catch (Exception e) {
        LOG.warn("Closing {} failed", last, e);
      }
    }
    ended.countDown();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes it, or waits a bounded time for whoever is closing it already. */
  void closeInFull() {
    close();
    try {
      long limitNanos = beforeClose.limit().toNanos() + 2 * closeWaitNanos;
      if (!ended.await(limitNanos, TimeUnit.NANOSECONDS)) {
        LOG.warn("This provider is still being closed; not waiting for it any longer");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Wires a provider. Not thread-safe. */
  public static final class Builder {

    private final RaftLeasesConfig config;
    private @Nullable Executor callbacks;
    private @Nullable MeterRegistry meters;
    private boolean metersByLease;
    private boolean shutdownHook;

    private Builder(RaftLeasesConfig config) {
      this.config = requireNonNull(config, "config");
    }

    /**
     * Sets where handlers and completions run, instead of on threads of the provider's own. It must
     * not run tasks on the calling thread, and is not shut down with the provider. What it refuses
     * runs on threads of the provider's own, and a warning is logged.
     */
    public Builder callbackExecutor(Executor executor) {
      this.callbacks = requireNonNull(executor, "executor");
      return this;
    }

    /**
     * Has this node measured into a registry until it is closed: docs/METERS.md has what. Without
     * one nothing is measured.
     */
    public Builder meters(MeterRegistry registry) {
      this.meters = requireNonNull(registry, "registry");
      return this;
    }

    /**
     * Has meters of acquires, releases, losses and hand-overs told for each lease, by the tag
     * {@code lease}. Each lease that is ever asked for is some two dozen meters more until this
     * provider is closed: for applications that have few names, and know them.
     */
    public Builder metersByLease() {
      this.metersByLease = true;
      return this;
    }

    /** Closes the provider when the JVM shuts down in order. */
    public Builder closeOnJvmShutdown() {
      this.shutdownHook = true;
      return this;
    }

    /** Starts the node; see {@link RaftLeases#start}. */
    public RaftLeases start() {
      String nodeId = config.store().nodeId();
      StoreNode store = StoreNode.start(config.store());
      Ticker ticker = SystemClocks.ticker();
      List<AutoCloseable> opened = new ArrayList<>();
      HolderMeters holderMeters = measure(store, ticker, opened);
      opened.add(store);
      ExecutorTimer timer = new ExecutorTimer("lease-timer-" + nodeId);
      opened.add(timer);
      CallbackExecutor own = new CallbackExecutor(nodeId, timer);
      opened.add(own);
      RaftLeases leases =
          new RaftLeases(
              store,
              ticker,
              timer,
              callbacks == null ? own : new UsersExecutor(callbacks, own),
              RandomSessionIds.create(new SecureRandom()),
              config.holderSettings(),
              holderMeters,
              opened);
      leases.closedLast.add(KeepAlive.start(nodeId));
      SystemClocks.suspendWatch(timer, leases.node::distrustClock)
          .ifPresent(leases.closedLast::add);
      if (shutdownHook) {
        leases.closedLast.add(ShutdownHook.install(leases, nodeId));
      }
      return leases;
    }

    private HolderMeters measure(StoreNode store, Ticker ticker, List<AutoCloseable> opened) {
      if (meters == null) {
        return HolderMeters.NONE;
      }
      try {
        NodeMeters measured =
            NodeMeters.open(meters, config.store().cluster(), store, ticker, metersByLease);
        opened.add(measured);
        return measured.holder();
      } catch (RuntimeException e) {
        store.close();
        throw e;
      }
    }
  }
}
