package io.leasehold.store.ratis;

import io.leasehold.store.StoreConfig;
import io.leasehold.time.DurationText;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a leader hand over whose disk stands still. It goes on leading as long as the others hear of
 * it, and nobody is answered, however well their disks work. Those whose disks do are known by
 * their logs, which have got further than its own is on disk.
 *
 * <p>Confined to the node's timer, which calls {@link #tick} several times a second.
 */
final class SlowDisk {

  private static final Logger LOG = LoggerFactory.getLogger(SlowDisk.class);

  private static final Duration HAND_OVER_LIMIT = Duration.ofSeconds(1);
  private static final Duration HAND_OVER_PAUSE = Duration.ofSeconds(5);

  private final String nodeId;
  private final Server server;
  private final Ticker ticker;
  private final Duration limit;

  private long flushed = -1;
  private volatile long movedNanos;
  private volatile boolean stands;
  private long handOverNanos;
  private volatile Optional<String> warning = Optional.empty();

  SlowDisk(StoreConfig config, Server server, Ticker ticker) {
    this.nodeId = config.nodeId();
    this.server = server;
    this.ticker = ticker;
    this.limit = config.electionTimeoutMax();
    this.movedNanos = ticker.nanos();
    this.handOverNanos = ticker.nanos() - HAND_OVER_PAUSE.toNanos();
  }

  /** What it needs of this member's server. */
  interface Server {

    /** Returns the last entry of the log, on disk or not; -1 without one. */
    long lastIndex();

    /** Returns the last entry of the log that is on disk. */
    long flushedIndex();

    /** Returns what it knows as a leader; empty if it does not lead. */
    Optional<Lead> lead();

    /** Asks another member to lead instead. */
    CompletableFuture<Boolean> transfer(String to, Duration limit);
  }

  void tick() {
    long now = ticker.nanos();
    long nowFlushed = server.flushedIndex();
    if (nowFlushed != flushed || server.lastIndex() <= nowFlushed) {
      tellThatItMoves(now);
      flushed = nowFlushed;
      movedNanos = now;
      stands = false;
    } else {
      stands = true;
      if (now - movedNanos >= limit.toNanos()) {
        tellThatItStands(now);
        handOver(now);
      }
    }
  }

  /** For how long nothing has come to the disk that was to; zero while it works. Any thread. */
  Duration stoodStill() {
    return stands ? Duration.ofNanos(ticker.nanos() - movedNanos) : Duration.ZERO;
  }

  /** What is wrong with the disk at the moment, and what to do; empty while it works. */
  Optional<String> warning() {
    return warning;
  }

  private void tellThatItStands(long now) {
    boolean told = warning.isPresent();
    warning =
        Optional.of(
            "nothing of its log came to its disk for %s: see to that disk, which stands still or is very slow"
                .formatted(stoodFor(now)));
    if (!told) {
      LOG.warn("node {}: {}", nodeId, warning.get());
    }
  }

  private void tellThatItMoves(long now) {
    if (warning.isPresent()) {
      warning = Optional.empty();
      LOG.info("the disk of node {} goes on, after {}", nodeId, stoodFor(now));
    }
  }

  private String stoodFor(long now) {
    return DurationText.of(Duration.ofMillis((now - movedNanos) / 1_000_000));
  }

  private void handOver(long now) {
    if (now - handOverNanos < HAND_OVER_PAUSE.toNanos()) {
      return;
    }
    server
        .lead()
        .flatMap(lead -> lead.heirBeyond(flushed, limit))
        .ifPresent(
            heir -> {
              handOverNanos = now;
              LOG.warn("node {} hands the leadership over to {}, whose disk works", nodeId, heir);
              var unused = server.transfer(heir, HAND_OVER_LIMIT);
            });
  }
}
