package io.leasehold.store.ratis;

import io.leasehold.store.core.Event;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whose leases have expired: a line for each node and log entry, however many they were.
 * Confined to the thread that applies.
 */
final class ExpiryLog {

  private static final Logger LOG = LoggerFactory.getLogger(ExpiryLog.class);

  private final String node;

  /**
   * @param node this node
   */
  ExpiryLog(String node) {
    this.node = node;
  }

  /** What has happened by one entry. */
  void applied(List<Event> events) {
    if (events.isEmpty() || !LOG.isInfoEnabled()) {
      return;
    }
    Map<String, Expiries> byHolder = new LinkedHashMap<>();
    for (Event event : events) {
      if (event instanceof Event.Expired expired) {
        byHolder.computeIfAbsent(expired.holder().node(), unused -> new Expiries(expired)).count++;
      }
    }
    byHolder.forEach((holder, expiries) -> LOG.info("node {}: {}", node, expiries.text(holder)));
  }

  private static final class Expiries {

    private final Event.Expired first;
    private int count;

    Expiries(Event.Expired first) {
      this.first = first;
    }

    String text(String holder) {
      String others = count == 1 ? "" : " and " + (count - 1) + " more";
      return "%s did not renew in time: lease '%s' of '%s'%s expired and may be granted to others"
          .formatted(holder, first.name(), first.holder().owner(), others);
    }
  }
}
