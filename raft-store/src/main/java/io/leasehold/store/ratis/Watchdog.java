package io.leasehold.store.ratis;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.time.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what Ratis leaves undone when members cannot hear each other. Confined to the node's timer,
 * which calls {@link #tick} several times a second.
 *
 * <ul>
 *   <li>A leader that goes on receiving batches never looks whether anybody follows it, and keeps
 *       the batches waiting. Here it steps down once it has not heard of a majority for an election
 *       timeout.
 *   <li>gRPC waits up to two minutes before it connects again to a member that was away, and a
 *       connection that was cut without a word takes as long to notice; meanwhile every vote and
 *       every entry for that member fails. Here, once a silent member can be connected to, the old
 *       connection is dropped.
 * </ul>
 */
final class Watchdog {

  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

  private static final Duration STEP_DOWN_LIMIT = Duration.ofSeconds(1);
  private static final Duration SILENCE_MAX = Duration.ofSeconds(1);
  private static final Duration RECONNECT_PAUSE_MIN = Duration.ofMillis(500);
  private static final Duration RECONNECT_PAUSE_MAX = Duration.ofSeconds(5);
  private static final Duration CONNECT_LIMIT = Duration.ofMillis(300);

  private final StoreConfig config;
  private final LocalServer server;
  private final Roster roster;
  private final Ticker ticker;
  private final Executor timer;
  private final Duration majorityLimit;
  private final Duration newLimit;
  private final Map<String, Silence> silences = new HashMap<>();
  private final SilenceNews silenceNews = new SilenceNews();
  private final AtomicBoolean reconnecting = new AtomicBoolean();

  private boolean suspectsItself;
  private long leaderSeenNanos;

  /**
   * A member that does not answer.
   *
   * @param nextNanos when the connection to it is looked at next
   * @param pause until then and the time after; longer each time that connecting did not help
   */
  private record Silence(long nextNanos, Duration pause) {

    Silence after(long nowNanos) {
      return new Silence(nowNanos + pause.toNanos(), pause);
    }

    Silence withLongerPause() {
      Duration doubled = pause.multipliedBy(2);
      return new Silence(
          nextNanos, doubled.compareTo(RECONNECT_PAUSE_MAX) < 0 ? doubled : RECONNECT_PAUSE_MAX);
    }
  }

  /**
   * @param roster with the ways to all other members
   * @param timer the thread that ticks
   */
  Watchdog(StoreConfig config, LocalServer server, Roster roster, Ticker ticker, Executor timer) {
    this.config = config;
    this.server = server;
    this.roster = roster;
    this.ticker = ticker;
    this.timer = timer;
    this.majorityLimit = config.electionTimeoutMax();
    this.newLimit = majorityLimit.multipliedBy(2);
    this.leaderSeenNanos = ticker.nanos();
  }

  void tick() {
    long now = ticker.nanos();
    Optional<Lead> lead = server.lead();
    tell(lead);
    stepDownAlone(lead);
    reconnect(now, lead);
  }

  private void tell(Optional<Lead> lead) {
    for (SilenceNews.Item news : silenceNews.since(lead)) {
      if (news.isGood()) {
        LOG.info("node {}: {}", config.nodeId(), news.text());
      } else {
        LOG.warn("node {}: {}", config.nodeId(), news.text());
      }
    }
  }

  /**
   * Twice in a row, because all members seem silent to a process that was paused itself. A leader
   * that is new has only asked so far.
   */
  private void stepDownAlone(Optional<Lead> lead) {
    boolean alone = lead.filter(this::isAlone).isPresent();
    if (alone && suspectsItself) {
      LOG.warn("node {} has not heard of a majority and stops leading", config.nodeId());
      var unused = server.stepDown(STEP_DOWN_LIMIT);
      suspectsItself = false;
    } else {
      suspectsItself = alone;
    }
  }

  private boolean isAlone(Lead lead) {
    return lead.lasts().compareTo(newLimit) > 0
        && lead.silenceOfMajority().compareTo(majorityLimit) > 0;
  }

  private void reconnect(long now, Optional<Lead> lead) {
    if (server.leader().isPresent()) {
      leaderSeenNanos = now;
    }
    List<String> silent =
        now - leaderSeenNanos > SILENCE_MAX.toNanos()
            ? roster.others()
            : lead.map(known -> known.silentFor(SILENCE_MAX)).orElse(List.of());
    if (silent.isEmpty() && silences.isEmpty()) {
      return;
    }
    silences.keySet().retainAll(silent);
    for (String id : silent) {
      Silence silence =
          silences.computeIfAbsent(id, unused -> new Silence(now, RECONNECT_PAUSE_MIN));
      if (now - silence.nextNanos() >= 0 && reconnecting.compareAndSet(false, true)) {
        silences.put(id, silence.after(now));
        roster.link(id).ifPresentOrElse(this::reconnectTo, () -> reconnecting.set(false));
      }
    }
  }

  /** Elsewhere, because connecting waits. */
  private void reconnectTo(MemberLink link) {
    Thread thread =
        new Thread(
            () -> {
              try {
                if (canConnect(link.member())) {
                  LOG.debug("node {} connects to {} anew", config.nodeId(), link.member().id());
                  server.dropConnection(link.member().id());
                  link.disconnect();
                  timer.execute(
                      () ->
                          silences.computeIfPresent(
                              link.member().id(), (id, silence) -> silence.withLongerPause()));
                }
              } finally {
                reconnecting.set(false);
              }
            },
            "leasehold-" + config.nodeId() + "-reconnect");
    thread.setDaemon(true);
    thread.start();
  }

  private static boolean canConnect(Member member) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(member.host(), member.port()), (int) CONNECT_LIMIT.toMillis());
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
