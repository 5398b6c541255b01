package io.leasehold.raft;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseSettings;
import io.leasehold.raft.meters.HolderMeters;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.core.SessionId;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The holder's side of one node as it is, wired to a simulated world instead of a real one. */
public final class HolderSide {

  /** The margin that covers clocks whose rates are 11 % off real time. */
  public static final double MARGIN = 0.2;

  /** How long a call may go unanswered. */
  public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

  /** How long the store remembers a silent session. */
  public static final Duration SESSION_TTL = Duration.ofSeconds(30);

  /** How long a shutdown waits. */
  public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  /** How many calls may wait to be sent. */
  static final int CALLS_MAX = 1_000;

  private final LeaseStore store;
  private final LeaseNode node;

  /**
   * How patient a holder's side is.
   *
   * @param margin the part of a ttl that a holder gives up early
   * @param requestTimeout how long a call may go unanswered
   * @param sessionTtl how long the store remembers a silent session
   * @param closeTimeout how long a shutdown waits
   */
  public record Patience(
      double margin, Duration requestTimeout, Duration sessionTtl, Duration closeTimeout) {

    /** As in production, but for the shorter timeouts. */
    public static final Patience USUAL =
        new Patience(MARGIN, REQUEST_TIMEOUT, SESSION_TTL, CLOSE_TIMEOUT);
  }

  /** Opens a session as soon as the store can be reached. */
  public HolderSide(
      LeaseStore store,
      Ticker ticker,
      Timer timer,
      Executor callbacks,
      Supplier<SessionId> sessionIds,
      Patience patience) {
    this(store, ticker, timer, callbacks, sessionIds, patience, HolderMeters.NONE);
  }

  HolderSide(
      LeaseStore store,
      Ticker ticker,
      Timer timer,
      Executor callbacks,
      Supplier<SessionId> sessionIds,
      Patience patience,
      HolderMeters meters) {
    this.store = store;
    this.node =
        new LeaseNode(
            store,
            ticker,
            timer,
            callbacks,
            sessionIds,
            new HolderSettings(
                patience.margin(),
                patience.requestTimeout(),
                patience.sessionTtl(),
                patience.closeTimeout(),
                CALLS_MAX),
            meters);
  }

  /** Returns a handle. */
  public Lease lease(LeaseSettings settings) {
    if (settings == null) {
      throw new InvalidLeaseArgumentException("settings", "must not be null");
    }
    return new RaftLease(node, node.claimants().get(settings.name(), settings.owner()), settings);
  }

  /** Returns the view for observers and operators. */
  public LeaseInspector inspector() {
    return new RaftInspector(node, store);
  }

  /** Begins to shut down. */
  public CompletableFuture<Boolean> close() {
    return node.close();
  }

  /** Ends all holds at once, as the watch over the clocks does. */
  public void distrustClock() {
    node.distrustClock("the clock stood still");
  }

  /** Returns whether the session is open. */
  public boolean hasSession() {
    return node.session() != null;
  }

  /** Returns whether nothing is held, awaited or under way. */
  public boolean isIdle() {
    return node.holds().all().isEmpty() && node.pace().isIdle();
  }

  /** Returns what this node believes to hold at this moment. */
  public List<Believed> believed() {
    List<Believed> believed = new ArrayList<>();
    for (Hold hold : node.holds().all()) {
      if (node.isAlive(hold)) {
        believed.add(new Believed(hold.claimant().name(), hold.claimant().owner(), hold.token()));
      }
    }
    return believed;
  }

  /** Returns the session, while there is one. */
  public Optional<SessionId> session() {
    return Optional.ofNullable(node.session()).map(LiveSession::id);
  }

  /** Returns when the session's last acknowledged batch was first handed over. */
  long renewedNanos() {
    return Optional.ofNullable(node.session()).orElseThrow().renewedNanos();
  }

  /** Returns how many claimants are remembered once the collector has found those in no use. */
  int rememberedClaimants() {
    System.gc();
    int[] remembered = {0};
    node.claimants().forEach(claimant -> remembered[0]++);
    return remembered[0];
  }

  LeaseNode node() {
    return node;
  }

  /**
   * One hold that is alive.
   *
   * @param name which lease
   * @param owner for whom
   * @param token which hold
   */
  public record Believed(String name, String owner, long token) {}
}
