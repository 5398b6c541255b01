package io.leasehold.store.core;

import static io.leasehold.store.core.Invariants.require;

import java.util.HashMap;
import java.util.Map;

/**
 * Who holds what as the events alone tell it. Checks that they make sense one after the other: a
 * lease is granted only when it is free, by a token greater than all before, and what ends is what
 * was held.
 */
final class ToldHolders {

  private record Hold(Holder holder, long token, boolean revoked) {}

  private final Map<String, Hold> holds = new HashMap<>();
  private long lastToken;

  void note(Event event) {
    if (event instanceof Event.Granted granted) {
      require(granted.token() > lastToken, "a token does not grow", event);
      lastToken = granted.token();
      Hold hold = new Hold(granted.holder(), granted.token(), false);
      require(holds.put(granted.name(), hold) == null, "a second holder", event);
    } else if (event instanceof Event.Released released) {
      end(released.name(), released.token(), event);
    } else if (event instanceof Event.Expired expired) {
      end(expired.name(), expired.token(), event);
    } else if (event instanceof Event.TakenOver takenOver) {
      end(takenOver.name(), takenOver.token(), event);
    } else if (event instanceof Event.Revoked revoked) {
      end(revoked.name(), revoked.token(), event);
      if (!revoked.freed()) {
        holds.put(revoked.name(), new Hold(revoked.holder(), revoked.token(), true));
      }
    }
  }

  private void end(String name, long token, Event event) {
    Hold ended = holds.remove(name);
    require(
        ended != null && ended.token() == token && ended.holder().equals(event.holder()),
        "what ends was not held",
        event);
  }

  void requireSameAs(MapLeaseTable.Contents contents) {
    Map<String, Hold> inTable = new HashMap<>();
    contents
        .leases()
        .forEach(
            (name, lease) ->
                inTable.put(name, new Hold(lease.holder(), lease.token(), lease.isRevoked())));
    require(inTable.equals(holds), "events tell of other holders: " + holds, inTable);
  }
}
