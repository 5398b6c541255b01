package io.leasehold.store.guard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.store.PeerRefusal;
import io.leasehold.text.Quoted;
import io.leasehold.time.Ticker;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what is refused, and logs it: of one kind and from one address once in a minute, however
 * often it comes. Safe for many threads.
 */
public final class RefusalLog {

  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  /** More than these at once are counted only. */
  private static final int REMEMBERED_MAX = 1_000;

  private final String node;
  private final Ticker ticker;
  private final Map<PeerRefusal, LongAdder> counts = new ConcurrentHashMap<>();
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<Source, Long> loggedAt = new HashMap<>();

  private record Source(PeerRefusal kind, String from) {}

  /**
   * @param node this node
   * @param ticker a monotonic clock
   */
  public RefusalLog(String node, Ticker ticker) {
    this.node = node;
    this.ticker = ticker;
  }

  /** How often that kind was refused since this node's start. */
  public long count(PeerRefusal kind) {
    LongAdder count = counts.get(kind);
    return count == null ? 0 : count.sum();
  }

  /** See {@link #refused(PeerRefusal, String, String)}. */
  public void refused(PeerRefusal kind, @Nullable SocketAddress from, String detail) {
    refused(
        kind,
        from instanceof InetSocketAddress internet && internet.getAddress() != null
            ? internet.getAddress().getHostAddress()
            : "an unknown address",
        detail);
  }

  /**
   * Something was refused.
   *
   * @param from the address, without a port, for that changes
   * @param detail what it was; may repeat what has come
   */
  public void refused(PeerRefusal kind, String from, String detail) {
    counts.computeIfAbsent(kind, any -> new LongAdder()).increment();
    if (isToBeLogged(kind, from)) {
      LOG.warn(
          "node {} refuses {}: {} ({}); more of the kind from there is only counted for a minute",
          node,
          from,
          kind.meaning(),
          Quoted.line(detail));
    }
  }

  private boolean isToBeLogged(PeerRefusal kind, String from) {
    long now = ticker.nanos();
    synchronized (lock) {
      Source source = new Source(kind, from);
      Long before = loggedAt.get(source);
      if (before != null && now - before < QUIET_NANOS) {
        return false;
      }
      if (loggedAt.size() >= REMEMBERED_MAX) {
        loggedAt.values().removeIf(at -> now - at >= QUIET_NANOS);
      }
      if (loggedAt.size() >= REMEMBERED_MAX) {
        return false;
      }
      loggedAt.put(source, now);
      return true;
    }
  }
}
