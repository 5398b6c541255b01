package io.leasehold.raft;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.Subscription;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.Member;
import io.leasehold.store.StoreFigures;
import io.leasehold.store.StoreStatus;
import io.leasehold.store.TableDigest;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Event;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A store that can be cut off from its node, silently, in both directions, which loses what was
 * under way, or in that to the node, which holds the answers back.
 */
final class CuttableStore implements LeaseStore {

  private final LeaseStore store;
  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
  private volatile boolean mute;
  private volatile boolean deaf;

  @GuardedBy("itself")
  private final List<Runnable> heldBack = new ArrayList<>();

  CuttableStore(LeaseStore store) {
    this.store = store;
  }

  void cut() {
    mute = true;
    deaf = true;
  }

  /** What the node asks for from now on is done, and it hears nothing of it. */
  void deafen() {
    deaf = true;
  }

  /**
   * What was applied meanwhile has been missed, and as the seam promises, the watchers are told so.
   */
  void mend() {
    mute = false;
    if (deaf) {
      List<Runnable> late;
      synchronized (heldBack) {
        deaf = false;
        late = List.copyOf(heldBack);
        heldBack.clear();
      }
      late.forEach(Runnable::run);
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
    boolean askedDeaf = deaf;
    if (!mute) {
      CompletionStage<BatchReply> unused =
          store
              .propose(batch, attempt)
              .whenComplete(
                  (answer, failure) -> {
                    if (!mute) {
                      arrive(askedDeaf, () -> complete(reply, answer, failure));
                    }
                  });
    }
    return reply;
  }

  private void arrive(boolean askedDeaf, Runnable arrival) {
    synchronized (heldBack) {
      if (askedDeaf && deaf) {
        heldBack.add(arrival);
        return;
      }
    }
    arrival.run();
  }

  private static void complete(
      CompletableFuture<BatchReply> reply,
      @Nullable BatchReply answer,
      @Nullable Throwable failure) {
    if (failure != null) {
      reply.completeExceptionally(failure);
    } else {
      reply.complete(answer);
    }
  }

  @Override
  public Subscription watch(Watcher watcher) {
    watchers.add(watcher);
    Subscription listening =
        store.watch(
            new Watcher() {
              @Override
              public void applied(long index, List<Event> events) {
                if (!deaf) {
                  watcher.applied(index, events);
                }
              }

              @Override
              public void replaced(long index) {
                if (!deaf) {
                  watcher.replaced(index);
                }
              }

              @Override
              public void leaderChanged(Optional<String> leader) {
                if (!deaf) {
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
    return deaf ? new CompletableFuture<>() : store.readAt(index);
  }

  @Override
  public StoreStatus status() {
    return store.status();
  }

  @Override
  public StoreFigures figures() {
    return store.figures();
  }

  @Override
  public CompletionStage<Void> addMember(Member member) {
    return store.addMember(member);
  }

  @Override
  public CompletionStage<Void> removeMember(String id) {
    return store.removeMember(id);
  }

  @Override
  public CompletionStage<Boolean> transferLeadership(String to) {
    return store.transferLeadership(to);
  }

  @Override
  public CompletionStage<Long> backup(Path file) {
    return store.backup(file);
  }

  @Override
  public CompletionStage<TableDigest> digestAt(long index) {
    return store.digestAt(index);
  }

  @Override
  public CompletionStage<Long> snapshot() {
    return store.snapshot();
  }
}
