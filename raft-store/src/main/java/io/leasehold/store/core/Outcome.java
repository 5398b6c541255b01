package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What an entry amounts to. The caller makes the changes durable, then answers, then tells.
 *
 * @param reply for the node that proposed it
 * @param changes to be written together, with the entry's index
 * @param events for watchers, in the order in which they happened
 */
public record Outcome(BatchReply reply, List<Change> changes, List<Event> events) {

  public Outcome {
    requireNonNull(reply, "reply");
    changes = List.copyOf(changes);
    events = List.copyOf(events);
  }

  /** Whether it has happened to a session that is not told by the reply. */
  public boolean concernsOthers() {
    return changes.stream()
        .anyMatch(change -> change instanceof Change.PutNews put && !put.news().isEmpty());
  }
}
