package io.leasehold.bench.peers;

import io.leasehold.LeaseProvider;
import io.leasehold.contract.ContractCluster;
import io.leasehold.harness.process.Patience;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A peer as the subject of the contract kit, in real time. */
final class PeerCluster implements ContractCluster {

  private static final int ROUNDS = 10;

  private final PeerStore store;
  private final Map<String, PeerLeases> nodes = new HashMap<>();

  PeerCluster(PeerStore store) {
    this.store = store;
  }

  @Override
  public Set<Capability> capabilities() {
    return store.capabilities();
  }

  @Override
  public LeaseProvider node(String name) {
    return running(name);
  }

  private PeerLeases running(String name) {
    PeerLeases known = nodes.get(name);
    if (known != null && !known.isClosed()) {
      return known;
    }
    PeerLeases opened = PeerLeases.open(store, name);
    nodes.put(name, opened);
    return opened;
  }

  @Override
  public void advance(Duration duration) {
    Patience.rest(duration);
  }

  @Override
  public Ticker time() {
    return System::nanoTime;
  }

  @Override
  public Duration ttl() {
    return store.ttl();
  }

  @Override
  public int rounds() {
    return ROUNDS;
  }

  @Override
  public void disconnect(String node) {
    running(node).node().disconnect();
  }

  @Override
  public void reconnect(String node) {
    running(node).node().reconnect();
  }

  @Override
  public void crash(String node) {
    running(node).crash();
  }

  @Override
  public void close() {
    nodes.values().stream().filter(node -> !node.isClosed()).forEach(PeerLeases::leave);
  }
}
