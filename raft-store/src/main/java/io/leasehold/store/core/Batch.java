package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * The commands of one node that share a log entry.
 *
 * <p>A node's batches are numbered within its session, and the store remembers the last number and
 * its reply. So a batch can be handed over again and again, to any member, and takes effect at most
 * once; this does not rest on Ratis' retry cache, which is in memory and forgets (Ongaro's thesis,
 * section 6.3, with one request outstanding per client). Every batch that is applied renews its
 * session, also an empty one.
 *
 * @param origin whose it is; empty for those of the store itself, which may only expire
 * @param commands in the order in which they take effect
 */
public record Batch(Optional<Origin> origin, List<Command> commands) {

  public Batch {
    requireNonNull(origin, "origin");
    commands = List.copyOf(commands);
  }

  /** A batch of a node. */
  public static Batch of(SessionId session, long sequence, List<Command> commands) {
    return new Batch(Optional.of(new Origin(session, sequence)), commands);
  }

  /** A batch of the store's own. */
  public static Batch ofStore(List<Command> commands) {
    return new Batch(Optional.empty(), commands);
  }

  /**
   * Whose batch it is.
   *
   * @param session the node's session
   * @param sequence greater than that of every earlier batch of the session: 1 for the one that
   *     opens it, and for those that follow from the log index on at which that was applied. So a
   *     late copy of an opening, which opens the session once more, makes no room for late copies
   *     of what followed
   */
  public record Origin(SessionId session, long sequence) {
    public Origin {
      requireNonNull(session, "session");
      if (sequence < 1) {
        throw new IllegalArgumentException("sequence must be positive: " + sequence);
      }
    }
  }

  boolean opensSession() {
    return commands.size() == 1 && commands.get(0) instanceof Command.OpenSession;
  }
}
