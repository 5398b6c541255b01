package io.leasehold.raft;

import io.leasehold.Subscription;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.Member;
import io.leasehold.store.ProposeException;
import io.leasehold.store.StoreFigures;
import io.leasehold.store.StoreStatus;
import io.leasehold.store.TableDigest;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Change;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Entry;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.Expiry;
import io.leasehold.store.core.LeaseMachine;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.MapLeaseTable;
import io.leasehold.store.core.Outcome;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.time.Ticker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store with the real rules on one table, whose every step a test can take itself: what arrives,
 * is applied, answered, and told to watchers. Left alone it does all of that at once. Its lease
 * time is the ticker's. Confined to one thread.
 */
final class ManualStore implements LeaseStore {

  private static final int EXPIRIES_MAX = 1_000;
  private static final int SEEN_MAX = 10_000;

  private final Ticker ticker;
  private final LeaseMachine machine;
  private final MapLeaseTable table = new MapLeaseTable();
  private final List<Watcher> watchers = new ArrayList<>();
  private final List<Runnable> untold = new ArrayList<>();
  private final List<Proposal> arrived = new ArrayList<>();
  private final List<Proposal> seen = new ArrayList<>();
  private boolean prompt = true;
  private boolean telling = true;
  private Optional<String> stopped = Optional.empty();
  private long index;

  ManualStore(Ticker ticker) {
    this(ticker, Limits.DEFAULT);
  }

  ManualStore(Ticker ticker, Limits limits) {
    this.ticker = ticker;
    this.machine = new LeaseMachine(limits);
  }

  /** Leaves what arrives from now on to the test. */
  void holdBack() {
    prompt = false;
  }

  /** Deals with what has arrived, and from now on with everything at once. */
  void goOn() {
    prompt = true;
    List<Proposal> waiting = List.copyOf(arrived);
    arrived.clear();
    waiting.forEach(Proposal::applyAndAnswer);
  }

  /** Keeps events from watchers until {@link #tell}. */
  void tellLater() {
    telling = false;
  }

  /** Tells watchers what has been kept from them. */
  void tell() {
    telling = true;
    List<Runnable> news = List.copyOf(untold);
    untold.clear();
    news.forEach(Runnable::run);
  }

  /** Stops for good: refuses whatever arrives, and answers nothing that has. */
  void stop(String why) {
    stopped = Optional.of(why);
    watchers.forEach(watcher -> watcher.stopped(why));
  }

  /** Tells watchers who leads. */
  void lead(Optional<String> leader) {
    watchers.forEach(watcher -> watcher.leaderChanged(leader));
  }

  /** Tells watchers that the table was replaced by a snapshot, instead of what was kept back. */
  void replace() {
    telling = true;
    untold.clear();
    watchers.forEach(watcher -> watcher.replaced(index));
  }

  /** Takes the oldest proposal that nobody has dealt with. */
  Proposal next() {
    return arrived.remove(0);
  }

  /** Returns what has arrived and was not dealt with. */
  List<Proposal> arrived() {
    return List.copyOf(arrived);
  }

  /** Returns everything that has ever arrived, or the first of it if it is very much. */
  List<Proposal> seen() {
    return List.copyOf(seen);
  }

  MapLeaseTable table() {
    return table;
  }

  /** Expires what is due. */
  void expireDue() {
    List<Command> due = Expiry.due(table, ticker.nanos(), EXPIRIES_MAX);
    if (!due.isEmpty()) {
      apply(Batch.ofStore(due));
    }
  }

  /** Lets it forget that it has seen a batch with a higher number. */
  void rewind(SessionId id, long sequence) {
    Session session = table.session(id).orElseThrow();
    Session rewound =
        new Session(
            id,
            session.node(),
            session.ttlNanos(),
            session.ordinal(),
            session.renewedNanos(),
            sequence,
            session.heldDigest(),
            session.newsLost());
    table.write(List.of(new Change.PutSession(rewound)), 1, ++index);
  }

  BatchReply apply(Batch batch) {
    index++;
    Outcome outcome = machine.apply(table, batch, new Entry(index, 1, ticker.nanos(), 1, 0));
    table.write(outcome.changes(), 1, index);
    tell(index, outcome.events());
    return outcome.reply();
  }

  private void tell(long at, List<Event> events) {
    if (events.isEmpty()) {
      return;
    }
    Runnable telling = () -> List.copyOf(watchers).forEach(watcher -> watcher.applied(at, events));
    if (this.telling) {
      telling.run();
    } else {
      untold.add(telling);
    }
  }

  @Override
  public String node() {
    return "n1";
  }

  @Override
  public CompletionStage<BatchReply> propose(Batch batch, int attempt) {
    Proposal proposal = new Proposal(batch, attempt, ticker.nanos(), new CompletableFuture<>());
    if (seen.size() < SEEN_MAX) {
      seen.add(proposal);
    }
    if (stopped.isPresent()) {
      proposal.reject();
    } else if (prompt) {
      proposal.applyAndAnswer();
    } else {
      arrived.add(proposal);
    }
    return proposal.future;
  }

  @Override
  public Subscription watch(Watcher watcher) {
    watchers.add(watcher);
    return () -> watchers.remove(watcher);
  }

  @Override
  public CompletionStage<Reading> readAt(long upTo) {
    return CompletableFuture.completedFuture(
        new Reading() {
          @Override
          public Moment all() {
            return new Moment(index, table.leases());
          }

          @Override
          public Moment find(String name) {
            return new Moment(index, table.find(name).stream().toList());
          }
        });
  }

  @Override
  public StoreStatus status() {
    return new StoreStatus(
        node(),
        StoreStatus.Role.LEADER,
        Optional.of(node()),
        1,
        index,
        table.state().leaseTimeNanos(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        stopped);
  }

  @Override
  public StoreFigures figures() {
    return StoreFigures.NONE;
  }

  @Override
  public CompletionStage<Void> addMember(Member member) {
    throw new UnsupportedOperationException("there are no operators here");
  }

  @Override
  public CompletionStage<Void> removeMember(String id) {
    throw new UnsupportedOperationException("there are no operators here");
  }

  @Override
  public CompletionStage<Boolean> transferLeadership(String to) {
    throw new UnsupportedOperationException("there are no operators here");
  }

  @Override
  public CompletionStage<Long> backup(Path file) {
    throw new UnsupportedOperationException("there are no operators here");
  }

  @Override
  public CompletionStage<TableDigest> digestAt(long upTo) {
    throw new UnsupportedOperationException("there are no operators here");
  }

  @Override
  public CompletionStage<Long> snapshot() {
    throw new UnsupportedOperationException("there are no operators here");
  }

  /** One hand-over of a batch. */
  final class Proposal {
    private final Batch batch;
    private final int attempt;
    private final long handedNanos;
    private final CompletableFuture<BatchReply> future;

    private Proposal(
        Batch batch, int attempt, long handedNanos, CompletableFuture<BatchReply> future) {
      this.batch = batch;
      this.attempt = attempt;
      this.handedNanos = handedNanos;
      this.future = future;
    }

    Batch batch() {
      return batch;
    }

    int attempt() {
      return attempt;
    }

    long handedNanos() {
      return handedNanos;
    }

    List<Command> commands() {
      return batch.commands();
    }

    long sequence() {
      return batch.origin().orElseThrow().sequence();
    }

    /** Gets it into the log and applied; nobody is told. */
    BatchReply apply() {
      return ManualStore.this.apply(batch);
    }

    void answer(BatchReply reply) {
      future.complete(reply);
    }

    void applyAndAnswer() {
      answer(apply());
    }

    /** The attempt fails; whether it has had or will have an effect is not known. */
    void fail() {
      future.completeExceptionally(new ProposeException("cut off", false, null));
    }

    /** The attempt is refused before it can get into the log. */
    void reject() {
      future.completeExceptionally(new ProposeException("does not lead", true, null));
    }
  }

  /** Another node, as far as the store can see. */
  final class OtherNode {
    private final SessionId session;
    private long sequence;

    OtherNode(String node, long id) {
      this.session = new SessionId(id, id);
      sequence = does(new Command.OpenSession(node, HolderSide.SESSION_TTL.toNanos())).index();
    }

    BatchReply does(Command... commands) {
      return apply(Batch.of(session, ++sequence, List.of(commands)));
    }
  }
}
