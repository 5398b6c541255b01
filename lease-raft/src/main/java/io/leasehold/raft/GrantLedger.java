package io.leasehold.raft;

import io.leasehold.store.core.Event;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.Session;
import java.util.HashSet;
import java.util.Set;

/**
 * The tokens that the store holds for this session, as its replies tell: the second line of defence
 * against holds that one side knows and the other does not. Confined to the strand.
 */
final class GrantLedger {

  private final Set<Long> tokens = new HashSet<>();
  private long digest;

  void note(Event event) {
    if (event instanceof Event.Granted granted) {
      add(granted.token());
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

  void note(Reply reply) {
    if (reply instanceof Reply.Granted granted) {
      add(granted.token());
    } else if (reply instanceof Reply.Released released) {
      remove(released.token());
    } else if (reply instanceof Reply.Held held) {
      clear();
      held.holds().forEach(hold -> add(hold.token()));
    } else if (reply instanceof Reply.SessionClosed) {
      clear();
    }
  }

  void clear() {
    tokens.clear();
    digest = 0;
  }

  boolean agreesWith(long storesDigest) {
    return digest == storesDigest;
  }

  boolean contains(long token) {
    return tokens.contains(token);
  }

  int size() {
    return tokens.size();
  }

  private void add(long token) {
    if (tokens.add(token)) {
      digest = Session.digestWith(digest, token);
    }
  }

  private void remove(long token) {
    if (tokens.remove(token)) {
      digest = Session.digestWith(digest, token);
    }
  }
}
