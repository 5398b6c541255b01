package io.leasehold.store.ratis;

import io.leasehold.store.codec.EntryCodec;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which log entries all members can read, as the leader knows it: during an upgrade some are older
 * than others, and an entry that one cannot read would stop it. Safe for many threads; confined to
 * the node's timer where it asks.
 */
final class EntryFormats {

  /** What a member reads that does not say so: it is of a version that was never asked. */
  static final int FIRST = 1;

  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

  private final Roster roster;
  private final Ticker ticker;
  private final Map<String, Integer> formats = new ConcurrentHashMap<>();
  private long askedNanos;

  EntryFormats(Roster roster, Ticker ticker) {
    this.roster = roster;
    this.ticker = ticker;
    this.askedNanos = ticker.nanos() - PAUSE.toNanos();
  }

  /** The newest format that all members read. */
  int shared() {
    return roster.others().stream()
        .mapToInt(member -> formats.getOrDefault(member, FIRST))
        .reduce(EntryCodec.FORMAT, Math::min);
  }

  /** Asks now and then, while this node leads. */
  void tick(boolean leads) {
    if (!leads || ticker.nanos() - askedNanos < PAUSE.toNanos()) {
      return;
    }
    askedNanos = ticker.nanos();
    formats.keySet().retainAll(roster.others());
    roster
        .links()
        .forEach(
            (member, link) -> {
              var unused =
                  link.introduce(ANSWER_LIMIT)
                      .thenAccept(answer -> formats.put(member, answer.entryFormat()));
            });
  }
}
