package io.leasehold.raft;

import io.leasehold.store.core.Event;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.Session;
import java.util.HashMap;
import java.util.Map;

/**
 * What the store holds for this session, as its replies tell: the second line of defence against
 * holds that one side knows and the other does not. Confined to the strand.
 */
final class GrantLedger {

  private final Map<Long, String> namesByToken = new HashMap<>();
  private long digest;

  void note(Event event) {
    if (event instanceof Event.Granted granted) {
      add(granted.name(), granted.token());
    } else if (event instanceof Event.Released released) {
      remove(released.token());
    } else if (event instanceof Event.Expired expired) {
      remove(expired.token());
    } else if (event instanceof Event.TakenOver takenOver) {
      remove(takenOver.token());
    } else if (event instanceof Event.Revoked revoked) {
      remove(revoked.token());
    }
  }

  void note(String name, Reply reply) {
    if (reply instanceof Reply.Granted granted) {
      add(name, granted.token());
    } else if (reply instanceof Reply.Released released) {
      remove(released.token());
    }
  }

  void replace(Reply.Held held) {
    clear();
    held.holds().forEach(hold -> add(hold.name(), hold.token()));
  }

  void clear() {
    namesByToken.clear();
    digest = 0;
  }

  boolean agreesWith(long storesDigest) {
    return digest == storesDigest;
  }

  Map<Long, String> namesByToken() {
    return Map.copyOf(namesByToken);
  }

  private void add(String name, long token) {
    if (namesByToken.put(token, name) == null) {
      digest = Session.digestWith(digest, token);
    }
  }

  private void remove(long token) {
    if (namesByToken.remove(token) != null) {
      digest = Session.digestWith(digest, token);
    }
  }
}
