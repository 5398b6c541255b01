package io.leasehold.raft;

import io.leasehold.store.core.Reply;

/** How a call to the store ended. */
sealed interface Answer {

  /** The store applied the command, at this log index. */
  record Applied(Reply reply, long index) implements Answer {}

  /** The store does not know the session any more: whatever the command did ended with it. */
  record SessionGone() implements Answer {}

  /**
   * This node does not ask the store any more.
   *
   * @param why as the end of a sentence
   */
  record Stopped(String why, boolean mayHaveBeenApplied) implements Answer {}
}
