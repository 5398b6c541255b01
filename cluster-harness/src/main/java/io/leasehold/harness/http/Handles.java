package io.leasehold.harness.http;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One handle per name and owner, kept only while it is held or asked for: memory does not grow with
 * the names that were ever used. Confined to the loop.
 */
final class Handles {

  private final LeaseProvider leases;
  private final Executor loop;
  private final Consumer<LeaseLost> onLost;
  private final Map<Key, Handle> kept = new HashMap<>();

  /**
   * @param onLost is told of each loss, on the loop
   */
  Handles(LeaseProvider leases, Executor loop, Consumer<LeaseLost> onLost) {
    this.leases = leases;
    this.loop = loop;
    this.onLost = onLost;
  }

  /** Takes the handle for an acquire with these settings; {@link #leave} gives it back. */
  Handle enter(LeaseSettings settings) {
    Key key = new Key(settings.name(), settings.owner());
    Handle handle = kept.get(key);
    if (handle == null) {
      Lease lease = open(settings);
      Subscription losses = lease.onLost(lost -> loop.execute(() -> lost(key, lost)));
      handle = new Handle(lease, losses);
      kept.put(key, handle);
    } else if (!handle.lease.settings().equals(settings)) {
      handle.lease = open(settings);
    }
    handle.callers++;
    return handle;
  }

  /** Gives a handle back. */
  void leave(Handle handle) {
    handle.callers--;
    dropIfIdle(handle);
  }

  /** The handle for a name and owner; null when there is nothing to know of it. */
  @Nullable Handle find(String name, String owner) {
    return kept.get(new Key(name, owner));
  }

  /** How many are kept. */
  int size() {
    return kept.size();
  }

  /** How many of them are held. */
  long held() {
    return kept.values().stream().filter(handle -> handle.lease.checkAlive()).count();
  }

  /**
   * Drops what two sweeps in a row found not held: a hold whose end nobody tells of, because its
   * release came between its deadline and the news of the loss.
   */
  void sweep() {
    for (Handle handle : List.copyOf(kept.values())) {
      boolean ended = handle.callers == 0 && handle.lease.fencingToken().isEmpty();
      if (ended && handle.isSuspect) {
        handle.toldToken = 0;
        dropIfIdle(handle);
      }
      handle.isSuspect = ended;
    }
  }

  private Lease open(LeaseSettings settings) {
    try {
      return leases.lease(settings);
    } catch (IllegalStateException closed) {
      throw Refusal.unavailable("this node is shutting down");
    }
  }

  private void lost(Key key, LeaseLost lost) {
    onLost.accept(lost);
    Handle handle = kept.get(key);
    if (handle != null && handle.toldToken == lost.fencingToken()) {
      handle.toldToken = 0;
      dropIfIdle(handle);
    }
  }

  private void dropIfIdle(Handle handle) {
    if (handle.isIdle()) {
      LeaseSettings settings = handle.lease.settings();
      handle.losses.close();
      kept.remove(new Key(settings.name(), settings.owner()), handle);
    }
  }

  private record Key(String name, String owner) {}
}
