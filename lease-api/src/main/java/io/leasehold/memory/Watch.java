package io.leasehold.memory;

import io.leasehold.LeaseEvent;
import io.leasehold.Subscription;
import io.leasehold.concurrent.Strand;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * One observer. What it missed while its node was cut off is made up for by the state. Confined to
 * the shared store's lock, except {@link #close()}.
 */
final class Watch implements Subscription {

  private final Node node;
  private final Optional<String> name;
  private final Consumer<LeaseEvent> observer;
  private final Strand strand = new Strand();

  /** What the observer was last told to be held. */
  private final Set<String> held = new TreeSet<>();

  private boolean behind;
  private volatile boolean open = true;

  /**
   * @param name which lease; empty for all
   */
  Watch(Node node, Optional<String> name, Consumer<LeaseEvent> observer) {
    this.node = node;
    this.name = name;
    this.observer = observer;
  }

  /** Something happens that the observer does not get to see. */
  void miss() {
    behind = true;
  }

  /** Tells the state, if the observer is behind. */
  void catchUp(StoreRules rules) {
    if (!behind) {
      return;
    }
    behind = false;
    List<StoredLease> current = rules.all().stream().filter(lease -> sees(lease.name())).toList();
    Set<String> free = new TreeSet<>(held);
    name.ifPresent(free::add);
    current.forEach(lease -> free.remove(lease.name()));
    held.clear();
    free.forEach(it -> tell(new LeaseEvent(LeaseEvent.Kind.FREE, it, null, null, 0)));
    for (StoredLease lease : current) {
      held.add(lease.name());
      tell(
          new LeaseEvent(
              LeaseEvent.Kind.CURRENT,
              lease.name(),
              lease.claim().owner(),
              lease.claim().session().node().name(),
              lease.token()));
    }
  }

  void tell(StoreEvent event) {
    if (event.kind() == StoreEvent.Kind.SKIPPED || !sees(event.name())) {
      return;
    }
    if (event.kind() == StoreEvent.Kind.GRANTED) {
      held.add(event.name());
    }
    tell(event.forObservers());
  }

  private boolean sees(String lease) {
    return name.isEmpty() || name.get().equals(lease);
  }

  private void tell(LeaseEvent event) {
    strand.add(
        () -> {
          if (open) {
            observer.accept(event);
          }
        });
    node.later(strand::runOne);
  }

  @Override
  public void close() {
    open = false;
    node.store().run(() -> node.remove(this));
  }
}
