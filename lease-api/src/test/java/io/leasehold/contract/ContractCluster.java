package io.leasehold.contract;

import io.leasehold.LeaseProvider;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.Set;

/**
 * The subject of the kit: up to three nodes on one store. A rule uses the nodes {@code n1}, {@code
 * n2} and {@code n3}, and closes, crashes or cuts off at most one of them, so that three members
 * keep their majority.
 *
 * <p>Each rule gets a cluster from {@link LeaseContract#newCluster()} and closes it in the end. A
 * subject that is costly to start may hand out the same one again, as long as all faults are mended
 * and every node runs by then: the rules use lease names that nobody else has used.
 */
public interface ContractCluster extends AutoCloseable {

  /** What a subject may be unable to do. Rules that need it are then reported as aborted. */
  enum Capability {
    /** {@link LeaseProvider#inspector()} works; about half of the rules look into the store. */
    INSPECTOR,
    /** {@link #disconnect} and {@link #reconnect} work. */
    DISCONNECT,
    /** {@link #deafen} and {@link #reconnect} work. */
    DEAFEN,
    /** {@link #crash} works. */
    CRASH,
    /** {@link #pause} and {@link #resume} work. */
    PAUSE,
    /** The cluster goes on while a callback blocks, so a callback may wait for a stage. */
    BLOCKING_CALLBACKS,
    /** Leases can be asked for with {@link io.leasehold.LeaseSettings#reclaim()}. */
    RECLAIM,
    /** A waiter has a place in the store's queue, and loses it when it is not renewed in time. */
    QUEUE_PLACES,
    /** Tokens grow in the store as a whole, and not only for each lease. */
    STORE_WIDE_TOKENS
  }

  /** Returns what this subject can do. */
  Set<Capability> capabilities();

  /**
   * Returns the provider of a running node. Starts the node when it was never mentioned, was
   * crashed, or its provider was closed; it then has a session newer than every other.
   *
   * @param name also the {@link io.leasehold.LeaseStatus#node()} of what it holds
   */
  LeaseProvider node(String name);

  /**
   * Lets time pass: a virtual subject turns its clock, a real one waits. In a virtual subject
   * everything happens inside this call.
   */
  void advance(Duration duration);

  /** Returns the time that {@link #advance} moves. */
  Ticker time();

  /**
   * Returns the time to live the rules use: several times a round trip, a leader change and the
   * pauses of the machine, so that nothing is lost by accident.
   */
  Duration ttl();

  /**
   * Closes a node's provider and returns when that has ended. A virtual subject whose provider
   * waits for answers lets time pass meanwhile.
   */
  default void close(String node) {
    node(node).close();
  }

  /** Returns how many rounds a rule with many steps makes; a virtual subject can bear hundreds. */
  default int rounds() {
    return 30;
  }

  /**
   * Cuts a node off from the store in both directions, silently: nothing is answered or refused.
   */
  default void disconnect(String node) {
    throw new UnsupportedOperationException("disconnect " + node);
  }

  /**
   * Lets a node's requests through to the store and holds back what the store answers to those made
   * from now on, silently, until {@link #reconnect}.
   */
  default void deafen(String node) {
    throw new UnsupportedOperationException("deafen " + node);
  }

  /** Mends {@link #disconnect} and {@link #deafen}. */
  default void reconnect(String node) {
    throw new UnsupportedOperationException("reconnect " + node);
  }

  /** Ends a node's process: nothing of it runs any more and nothing is released. */
  default void crash(String node) {
    throw new UnsupportedOperationException("crash " + node);
  }

  /**
   * Stops a node's threads while its clock goes on, as SIGSTOP or a long collection does. The kit
   * still calls {@link io.leasehold.Lease#checkAlive()} then, as its first act after the pause
   * would.
   */
  default void pause(String node) {
    throw new UnsupportedOperationException("pause " + node);
  }

  /** Mends {@link #pause}. */
  default void resume(String node) {
    throw new UnsupportedOperationException("resume " + node);
  }

  /** Ends the rule: stops the nodes, or mends and restarts them for the next rule. */
  @Override
  void close();
}
