package io.leasehold.raft.simulation;

import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.concurrent.BeforeClose;
import io.leasehold.contract.ContractCluster;
import io.leasehold.raft.HolderSide;
import io.leasehold.store.core.SessionId;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Three nodes in a quiet world, as the subject of the contract. */
public final class SimulatedCluster implements ContractCluster {

  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final Duration STEP = Duration.ofMillis(1);
  private static final int STEPS_MAX = 10_000;

  private final World world = new World(1);
  private final SimulatedNetwork network = new SimulatedNetwork(world);
  private final SimulatedGroup group = new SimulatedGroup(world, network, NODES);
  private final Map<String, Provider> providers = new TreeMap<>();

  /** Starts the three nodes. */
  public SimulatedCluster() {
    NODES.forEach(this::start);
    world.advance(Duration.ofMillis(100));
  }

  private Provider start(String name) {
    // Far apart, so that nothing may compare what two nodes' clocks show.
    long offsetNanos = NODES.indexOf(name) * 1_000_000_000_000L - 500_000_000_000L;
    SimulatedProcess process = new SimulatedProcess(world, name, offsetNanos, 1, 0);
    Provider provider = new Provider(process, group.start(process));
    providers.put(name, provider);
    return provider;
  }

  /** Makes a node the leader; it, too, begins with what is committed. */
  void elect(String node) {
    group.elect(node);
  }

  /** How many entries the log has. */
  long logSize() {
    return group.log().size();
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.BLOCKING_CALLBACKS));
  }

  @Override
  public LeaseProvider node(String name) {
    Provider provider = providers.get(name);
    if (provider != null && !provider.process.isDead()) {
      return provider;
    }
    Provider started = start(name);
    for (int steps = 0; !started.holder.hasSession(); steps++) {
      if (steps > STEPS_MAX) {
        throw new IllegalStateException(name + " finds no leader");
      }
      world.advance(STEP);
    }
    return started;
  }

  @Override
  public void advance(Duration duration) {
    world.advance(duration);
  }

  @Override
  public Ticker time() {
    return world;
  }

  @Override
  public Duration ttl() {
    return Duration.ofSeconds(3);
  }

  @Override
  public void disconnect(String node) {
    for (String other : NODES) {
      if (!other.equals(node)) {
        network.cut(node, other);
        network.cut(other, node);
      }
    }
  }

  @Override
  public void deafen(String node) {
    for (String other : NODES) {
      if (!other.equals(node)) {
        network.hold(other, node);
      }
    }
  }

  @Override
  public void reconnect(String node) {
    network.mendAll();
  }

  @Override
  public void crash(String node) {
    process(node).kill();
  }

  @Override
  public void pause(String node) {
    process(node).pause();
  }

  @Override
  public void resume(String node) {
    process(node).resume();
  }

  private SimulatedProcess process(String node) {
    return group.replica(node).process();
  }

  @Override
  public void close() {
    NODES.forEach(node -> process(node).kill());
  }

  /** A node's provider; closing it ends the process, as far as the others can see. */
  private final class Provider implements LeaseProvider {
    private final SimulatedProcess process;
    private final HolderSide holder;
    private final BeforeClose beforeClose = new BeforeClose();
    private @Nullable CompletableFuture<Boolean> closed;

    Provider(SimulatedProcess process, SimulatedReplica replica) {
      this.process = process;
      this.holder =
          new HolderSide(
              new SimulatedStore(group, replica),
              process,
              process,
              this::callback,
              () -> new SessionId(world.random().nextLong(), world.random().nextLong()),
              HolderSide.Patience.USUAL);
    }

    /** Once the provider is closed there is no executor of its own any more. */
    private void callback(Runnable callback) {
      if (closed != null && closed.isDone()) {
        callback.run();
      } else {
        process.execute(callback);
      }
    }

    @Override
    public Lease lease(LeaseSettings settings) {
      if (closed != null) {
        throw new IllegalStateException("the provider is closed");
      }
      return holder.lease(settings);
    }

    @Override
    public LeaseInspector inspector() {
      return holder.inspector();
    }

    @Override
    public Subscription beforeClose(Supplier<? extends CompletionStage<?>> stop) {
      return beforeClose.add(stop);
    }

    @Override
    public void close() {
      if (closed == null) {
        CompletableFuture<Void> stopped = beforeClose.begin();
        while (!stopped.isDone()) {
          world.advance(STEP);
        }
        CompletableFuture<Boolean> closing = holder.close();
        closed = closing;
        while (!closing.isDone()) {
          world.advance(STEP);
        }
        world.advance(STEP.multipliedBy(10));
        process.kill();
      }
    }
  }
}
