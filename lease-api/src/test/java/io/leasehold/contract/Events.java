package io.leasehold.contract;

import io.leasehold.LeaseEvent;
import io.leasehold.LeaseInspector;
import io.leasehold.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/** An observer that writes down what it sees. Safe for many threads. */
public final class Events implements AutoCloseable {

  private final List<LeaseEvent> seen = new CopyOnWriteArrayList<>();
  private final Subscription watch;

  private Events(Function<Consumer<LeaseEvent>, Subscription> subscribe) {
    this.watch = subscribe.apply(seen::add);
  }

  /** Begins to write down what happens to one lease. */
  public static Events of(LeaseInspector inspector, String name) {
    return new Events(observer -> inspector.watch(name, observer));
  }

  /** Begins to write down what happens to all leases. */
  public static Events ofAll(LeaseInspector inspector) {
    return new Events(inspector::watchAll);
  }

  /** Returns how much was seen. */
  public int count() {
    return seen.size();
  }

  /** Returns what was seen, in order. */
  public List<LeaseEvent> seen() {
    return List.copyOf(seen);
  }

  /** Returns what was seen last. */
  public LeaseEvent last() {
    return seen.get(seen.size() - 1);
  }

  /** Returns whether something of this kind was seen of a lease. */
  public boolean has(LeaseEvent.Kind kind, String name) {
    return seen.stream().anyMatch(event -> event.kind() == kind && event.name().equals(name));
  }

  @Override
  public void close() {
    watch.close();
  }
}
