package io.leasehold.raft;

import io.leasehold.Subscription;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.StoreStatus;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Event;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A store that can be cut off from its node in both directions, silently: what was under way is
 * lost.
 */
final class CuttableStore implements LeaseStore {

  private final LeaseStore store;
  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
  private volatile boolean cut;

  CuttableStore(LeaseStore store) {
    this.store = store;
  }

  void cut() {
    cut = true;
  }

  /**
   * What was applied meanwhile has been missed, and as the seam promises, the watchers are told so.
   */
  void mend() {
    if (cut) {
      cut = false;
      watchers.forEach(watcher -> watcher.replaced(store.status().appliedIndex()));
    }
  }

  @Override
  public String node() {
    return store.node();
  }

  @Override
  public CompletionStage<BatchReply> propose(Batch batch, int attempt) {
    CompletableFuture<BatchReply> reply = new CompletableFuture<>();
    if (!cut) {
      CompletionStage<BatchReply> unused =
          store
              .propose(batch, attempt)
              .whenComplete(
                  (answer, failure) -> {
                    if (cut) {
                      return;
                    }
                    if (failure != null) {
                      reply.completeExceptionally(failure);
                    } else {
                      reply.complete(answer);
                    }
                  });
    }
    return reply;
  }

  @Override
  public Subscription watch(Watcher watcher) {
    watchers.add(watcher);
    Subscription listening =
        store.watch(
            new Watcher() {
              @Override
              public void applied(long index, List<Event> events) {
                if (!cut) {
                  watcher.applied(index, events);
                }
              }

              @Override
              public void replaced(long index) {
                if (!cut) {
                  watcher.replaced(index);
                }
              }

              @Override
              public void leaderChanged(Optional<String> leader) {
                if (!cut) {
                  watcher.leaderChanged(leader);
                }
              }

              @Override
              public void stopped(String why) {
                watcher.stopped(why);
              }
            });
    return () -> {
      watchers.remove(watcher);
      listening.close();
    };
  }

  @Override
  public CompletionStage<Reading> readAt(long index) {
    return cut ? new CompletableFuture<>() : store.readAt(index);
  }

  @Override
  public StoreStatus status() {
    return store.status();
  }

  @Override
  public CompletionStage<Boolean> transferLeadership(String to) {
    return store.transferLeadership(to);
  }

  @Override
  public CompletionStage<Long> snapshot() {
    return store.snapshot();
  }
}
