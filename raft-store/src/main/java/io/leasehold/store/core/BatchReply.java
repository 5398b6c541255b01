package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What became of a batch. After it a node knows exactly what the store holds for it.
 *
 * @param status whether it was applied
 * @param index the log index it was applied at
 * @param news what happened to this session since its previous reply other than by its own
 *     commands, in log order
 * @param newsLost whether there was more than is kept, so that the node has to ask with {@link
 *     Command.Reconcile}
 * @param replies one for each command
 * @param heldDigest digest of the tokens that the store now holds for the session ({@link
 *     Session#digestWith}); revoked ones are not among them
 */
public record BatchReply(
    Status status,
    long index,
    List<Event> news,
    boolean newsLost,
    List<Reply> replies,
    long heldDigest) {

  public BatchReply {
    requireNonNull(status, "status");
    news = List.copyOf(news);
    replies = List.copyOf(replies);
  }

  static BatchReply withoutEffect(Status status, long index) {
    return new BatchReply(status, index, List.of(), false, List.of(), 0);
  }

  /** Whether a batch was applied. */
  public enum Status {
    /** Now, or when the same batch came first. */
    APPLIED,
    /** Not: the store does not know the session, or not any more. */
    SESSION_UNKNOWN,
    /** Not: a later batch of the session has been applied. */
    STALE,
    /** Not: it was malformed or over a limit; nothing of it took effect. */
    REFUSED
  }
}
