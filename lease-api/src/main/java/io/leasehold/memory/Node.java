package io.leasehold.memory;

import io.leasehold.LeaseUnavailableException;
import io.leasehold.holder.HoldTable;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process of a cluster in memory: its session, what it has not heard or could not send yet, and
 * the faults it suffers. Confined to the shared store's lock, except what says otherwise.
 */
final class Node {

  private final SharedStore store;
  private final String name;
  private final Session session;
  private final Renewal renewal;
  private final HoldTable<Hold> holds = new HoldTable<>();
  private final Outbox outbox = new Outbox();
  private final Queue<StoreEvent> unheard = new ArrayDeque<>();
  private final List<Watch> watches = new ArrayList<>();

  private boolean connected = true;
  private boolean paused;
  private boolean ended;

  /** Why nothing new is begun. */
  private @Nullable String refusal;

  private final Queue<Runnable> postponedTasks = new ArrayDeque<>();
  private final Queue<Runnable> postponedCallbacks = new ArrayDeque<>();

  private long lastAcquisitionId;

  /** Must be called inside {@link SharedStore#call}. */
  Node(SharedStore store, String name) {
    this.store = store;
    this.name = name;
    this.session = store.rules().open(this);
    this.renewal = new Renewal(this, nanos());
    store.join(this);
  }

  String name() {
    return name;
  }

  Session session() {
    return session;
  }

  SharedStore store() {
    return store;
  }

  HoldTable<Hold> holds() {
    return holds;
  }

  /** Its deadlines may be read by many threads. */
  Renewal renewal() {
    return renewal;
  }

  /** Safe for many threads. */
  long nanos() {
    return store.ticker().nanos();
  }

  long nextAcquisitionId() {
    return ++lastAcquisitionId;
  }

  /** Returns why no new acquire is possible; empty while the node runs. */
  Optional<LeaseUnavailableException> refusal() {
    return Optional.ofNullable(refusal).map(LeaseUnavailableException::new);
  }

  boolean hasEnded() {
    return ended;
  }

  private boolean isReachable() {
    return connected && !paused && !ended;
  }

  // --- Requests -------------------------------------------------------------------------------

  /**
   * Hands a request to the store, now or when it can be reached. Every answered request renews the
   * session.
   *
   * @param limit after which to give it up; null to go on for ever
   * @param unanswered is run when it is given up
   * @return withdraws the request if it has not been performed
   */
  <R> Timer.Cancellable send(
      Supplier<R> ask, Consumer<R> answered, @Nullable Duration limit, Runnable unanswered) {
    Outbox.Request<R> request = new Outbox.Request<>(nanos(), ask, answered, unanswered);
    if (isReachable()) {
      perform(request);
      return () -> {};
    }
    outbox.add(request);
    if (limit != null) {
      request.limitedBy(
          schedule(
              limit,
              () -> {
                outbox.remove(request);
                unanswered.run();
              }));
    }
    return () -> outbox.remove(request);
  }

  /** As {@link #send}, for what is repeated until it is answered, whatever the answer. */
  void sendAlways(Runnable ask, Runnable answered) {
    Timer.Cancellable unusedWithdrawal =
        send(
            () -> {
              ask.run();
              return true;
            },
            done -> answered.run(),
            null,
            () -> {});
  }

  /** Undoes a grant that nobody here believes in. */
  void giveBack(String lease, long token) {
    sendAlways(() -> store.rules().release(lease, session, token), () -> {});
  }

  private void perform(Outbox.Request<?> request) {
    // Before the acknowledgement moves the deadlines: what is past its own stays lost.
    renewal.noticeDeadlines();
    session.renew(nanos());
    Runnable answered = request.perform();
    renewal.acknowledge(request.sentNanos());
    answered.run();
  }

  // --- News -----------------------------------------------------------------------------------

  /** Takes an event in, now or when the store can be reached. */
  void hear(StoreEvent event) {
    if (!isReachable()) {
      watches.forEach(Watch::miss);
      if (event.claim().session() == session && !ended) {
        unheard.add(event);
      }
      return;
    }
    if (event.claim().session() == session) {
      takeIn(event);
    }
    List.copyOf(watches).forEach(watch -> watch.tell(event));
  }

  private void takeIn(StoreEvent event) {
    Optional<Hold> hold = holds.find(event.name(), event.claim().owner());
    if (hold.isPresent()) {
      hold.get().hear(event);
    } else if (event.kind() == StoreEvent.Kind.GRANTED) {
      giveBack(event.name(), event.token());
    }
  }

  void add(Watch watch) {
    watches.add(watch);
    watch.miss();
    if (isReachable()) {
      watch.catchUp(store.rules());
    }
  }

  void remove(Watch watch) {
    watches.remove(watch);
  }

  // --- Later ----------------------------------------------------------------------------------

  /** Runs a task under the lock later, if the node runs then. */
  Timer.Cancellable schedule(Duration delay, Runnable task) {
    return store.schedule(
        delay,
        () -> {
          if (ended) {
            return;
          }
          if (paused) {
            postponedTasks.add(task);
          } else {
            task.run();
          }
        });
  }

  /** Runs users' code outside the lock. */
  void later(Runnable callback) {
    if (paused) {
      postponedCallbacks.add(callback);
    } else {
      store.callbacks().add(callback);
    }
  }

  // --- Faults and the end ---------------------------------------------------------------------

  void disconnect() {
    connected = false;
  }

  void reconnect() {
    connected = true;
    catchUp();
  }

  void pause() {
    paused = true;
  }

  void resume() {
    if (!paused) {
      return;
    }
    paused = false;
    renewal.noticeDeadlines();
    for (Runnable task = postponedTasks.poll(); task != null; task = postponedTasks.poll()) {
      task.run();
    }
    catchUp();
    flushCallbacks();
  }

  private void catchUp() {
    for (StoreEvent event = unheard.peek();
        event != null && isReachable();
        event = unheard.peek()) {
      unheard.remove();
      takeIn(event);
    }
    while (isReachable()) {
      Outbox.Request<?> request = outbox.next();
      if (request == null) {
        watches.forEach(watch -> watch.catchUp(store.rules()));
        return;
      }
      perform(request);
    }
  }

  private void flushCallbacks() {
    for (Runnable callback = postponedCallbacks.poll();
        callback != null;
        callback = postponedCallbacks.poll()) {
      store.callbacks().add(callback);
    }
  }

  /** Ends without a trace: nothing is released, nobody is told. */
  void crash() {
    refusal = "node " + name + " has crashed";
    paused = false;
    end();
    List<Outbox.Request<?>> unusedRequests = outbox.drain();
    holds.inUse().forEach(Hold::vanish);
    postponedTasks.clear();
    postponedCallbacks.clear();
  }

  /** Ends in order: frees what it holds, or declares it lost when the store cannot be reached. */
  void close() {
    if (ended) {
      return;
    }
    refusal = "the provider of node " + name + " is closed";
    renewal.noticeDeadlines();
    boolean reachable = connected;
    holds.inUse().forEach(hold -> hold.close(reachable));
    List<Outbox.Request<?>> unanswered = outbox.drain();
    unanswered.forEach(Outbox.Request::giveUp);
    if (reachable) {
      store.rules().close(session);
    }
    paused = false;
    flushCallbacks();
    end();
  }

  private void end() {
    ended = true;
    watches.clear();
    unheard.clear();
    store.leave(this);
  }
}
