package io.leasehold.store.core;

import static io.leasehold.store.core.Invariants.require;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What a node knows that it holds, from its replies and their news alone. */
final class Ledger {

  private final Map<Long, String> namesByToken = new HashMap<>();

  /** False from the moment news was lost until the store has told everything. */
  private boolean complete = true;

  Map<Long, String> namesByToken() {
    return namesByToken;
  }

  boolean isComplete() {
    return complete;
  }

  void note(List<Command> commands, BatchReply reply) {
    complete = complete && !reply.newsLost();
    for (Event event : reply.news()) {
      note(event);
    }
    for (int i = 0; i < commands.size(); i++) {
      note(commands.get(i), reply.replies().get(i));
    }
  }

  private void note(Event event) {
    if (event instanceof Event.Granted granted) {
      namesByToken.put(granted.token(), granted.name());
    } else if (event instanceof Event.Released released) {
      namesByToken.remove(released.token());
    } else if (event instanceof Event.Expired expired) {
      namesByToken.remove(expired.token());
    } else if (event instanceof Event.TakenOver takenOver) {
      namesByToken.remove(takenOver.token());
    } else if (event instanceof Event.Revoked revoked) {
      namesByToken.remove(revoked.token());
    }
  }

  private void note(Command command, Reply reply) {
    if (command instanceof Command.Acquire acquire && reply instanceof Reply.Granted granted) {
      namesByToken.put(granted.token(), acquire.name());
    } else if (reply instanceof Reply.Released released) {
      namesByToken.remove(released.token());
    } else if (reply instanceof Reply.Held held) {
      namesByToken.clear();
      held.holds().forEach(hold -> namesByToken.put(hold.token(), hold.name()));
      complete = true;
    }
  }

  void requireSameAs(SessionId session, MapLeaseTable.Contents contents, long digest) {
    if (!complete) {
      return;
    }
    Set<Long> held = new TreeSet<>();
    for (HeldLease lease : contents.leases().values()) {
      if (lease.isOf(session) && !lease.isRevoked()) {
        held.add(lease.token());
      }
    }
    require(held.equals(namesByToken.keySet()), "a node knows other holds " + namesByToken, held);
    long known = 0;
    for (long token : namesByToken.keySet()) {
      known = Session.digestWith(known, token);
    }
    require(known == digest, "the digest is not of what the node holds", namesByToken);
  }
}
