package io.leasehold.memory;

/** What the store says to an acquire. */
sealed interface StoreReply {

  /** The lease is the asker's. */
  record Granted(long token) implements StoreReply {}

  /** Another holder has it. */
  record HeldByOther() implements StoreReply {}

  /** The asker has a place in the queue; the grant will be an event. */
  record Queued() implements StoreReply {}

  /** No effect, because of a limit. */
  record Refused(String reason) implements StoreReply {}
}
