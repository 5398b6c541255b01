package io.leasehold.raft;

import io.leasehold.store.LeaseStore;
import io.leasehold.store.core.Event;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Passes changes of the leader on to a user's handler. */
record LeaderWatcher(LeaseNode node, Consumer<Optional<String>> handler)
    implements LeaseStore.Watcher {

  @Override
  public void applied(long index, List<Event> events) {}

  @Override
  public void replaced(long index) {}

  @Override
  public void leaderChanged(Optional<String> leader) {
    node.callbacks().execute(() -> handler.accept(leader));
  }
}
