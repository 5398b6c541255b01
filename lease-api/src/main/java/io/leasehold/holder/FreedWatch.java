package io.leasehold.holder;

import io.leasehold.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * A waiter's watch on a lease, opened and closed once. A store that cannot watch now only makes the
 * wait longer. Safe for many threads.
 */
final class FreedWatch {

  private final ClaimStore store;
  private final String name;
  private final Runnable freed;
  private @Nullable Subscription subscription;
  private boolean closed;

  FreedWatch(ClaimStore store, String name, Runnable freed) {
    this.store = store;
    this.name = name;
    this.freed = freed;
  }

  synchronized void open() {
    if (closed) {
      return;
    }
    try {
      subscription = store.watch(name, freed);
    } catch (RuntimeException failure) {
      Node.logged("a waiter cannot watch its lease, and asks now and then", failure);
    }
  }

  synchronized void close() {
    closed = true;
    if (subscription != null) {
      subscription.close();
      subscription = null;
    }
  }
}
