package io.leasehold.raft;

import io.leasehold.LeaseLost;
import io.leasehold.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the handlers of one claimant of a loss: those registered at that moment, each on the
 * callback executor, never on the thread that found out. Safe for many threads.
 */
final class LossNotifier {

  private static final Logger LOG = LoggerFactory.getLogger(LossNotifier.class);

  private final Executor callbacks;
  private final List<Registration> registrations = new CopyOnWriteArrayList<>();

  LossNotifier(Executor callbacks) {
    this.callbacks = callbacks;
  }

  Subscription register(Consumer<LeaseLost> handler) {
    Registration registration = new Registration(handler);
    registrations.add(registration);
    return () -> registrations.remove(registration);
  }

  boolean isEmpty() {
    return registrations.isEmpty();
  }

  void tell(LeaseLost lost) {
    for (Registration registration : registrations) {
      try {
        callbacks.execute(() -> call(registration.handler, lost));
      } catch (RejectedExecutionException e) {
        LOG.warn(
            "The provider is closed: a handler was not told any more that {} is lost", lost, e);
      }
    }
  }

  private static void call(Consumer<LeaseLost> handler, LeaseLost lost) {
    try {
      handler.accept(lost);
    } catch (RuntimeException | Error e) {
      LOG.warn("An onLost handler failed on {}", lost, e);
    }
  }

  /** Has identity, so that a handler may be registered twice. */
  private static final class Registration {
    final Consumer<LeaseLost> handler;

    Registration(Consumer<LeaseLost> handler) {
      this.handler = handler;
    }
  }
}
