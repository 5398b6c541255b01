package io.leasehold.store.core;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Writes a log as nodes, a leader and a careless network would: batches of commands that mostly
 * make sense, copies of old ones, proposals to expire, stamps that are late or void, terms that
 * change. Depends on its seed and on the replies only.
 */
public final class RandomLog {

  /** Narrow, so that every limit is met. */
  public static final Limits LIMITS = new Limits(6, 2, 4, 4, 3);

  private static final String[] NAMES = {"north", "south", "east", "west", "\ud83d\ude00"};
  private static final String[] OWNERS = {"a", "b"};

  private final Random random;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Batch> sent = new ArrayList<>();
  private long index;
  private long term = 1;
  private long clockNanos;
  private long sessionsBegun;

  public RandomLog(long seed) {
    this.random = new Random(seed);
    for (int i = 0; i < 5; i++) {
      nodes.add(new Node("node-" + i));
    }
  }

  /** An entry before it is applied. */
  public record Proposal(Batch batch, Entry entry) {}

  /** A node, and what it knows. */
  private static final class Node {
    final String name;
    SessionId session = new SessionId(0, 0);
    boolean open;
    long sequence;
    long ordinal;
    long acquisitions;
    Ledger ledger = new Ledger();

    Node(String name) {
      this.name = name;
    }
  }

  public Proposal next(ExpiryView view) {
    clockNanos +=
        Cast.millis(random.nextInt(10) == 0 ? random.nextInt(4_000) : random.nextInt(300));
    if (random.nextInt(40) == 0) {
      term += 1 + random.nextInt(2);
    }
    Batch batch = batch(view);
    sent.add(batch);
    index += 1 + (random.nextInt(20) == 0 ? 1 : 0);
    return new Proposal(batch, new Entry(index, term, stampNanos(), stampTerm(), tokenFloor()));
  }

  private long stampNanos() {
    return random.nextInt(8) == 0 ? clockNanos - Cast.millis(random.nextInt(500)) : clockNanos;
  }

  private long stampTerm() {
    return random.nextInt(15) == 0 ? term - 1 : term;
  }

  private long tokenFloor() {
    return random.nextInt(50) == 0 ? random.nextInt(2_000) : 0;
  }

  private Batch batch(ExpiryView view) {
    int kind = random.nextInt(20);
    if (kind == 0 && !sent.isEmpty()) {
      return sent.get(random.nextInt(sent.size()));
    }
    if (kind == 1) {
      return Batch.ofStore(careless(random.nextInt(4)));
    }
    if (kind <= 4) {
      return Batch.ofStore(Expiry.due(view, clockNanos, 1 + random.nextInt(5)));
    }
    Node node = nodes.get(random.nextInt(nodes.size()));
    if (!node.open) {
      node.session = new SessionId(random.nextLong(), ++sessionsBegun);
      node.sequence = 1;
      node.ledger = new Ledger();
      return Batch.of(
          node.session,
          1,
          List.of(new Command.OpenSession(node.name, Cast.millis(1_000 + random.nextInt(9_000)))));
    }
    node.sequence += 1 + (random.nextInt(30) == 0 ? 1 : 0);
    return Batch.of(node.session, node.sequence, commands(node));
  }

  /** Commands of one node. No holder asks twice for one lease, and it reconciles at the end. */
  private List<Command> commands(Node node) {
    List<Command> commands = new ArrayList<>();
    Set<String> asked = new HashSet<>();
    int count = random.nextInt(30) == 0 ? LIMITS.commandsPerBatch() + 1 : random.nextInt(4);
    for (int i = 0; i < count; i++) {
      Command command = command(node);
      if (!(command instanceof Command.Acquire acquire)
          || asked.add(acquire.name() + "/" + acquire.owner())) {
        commands.add(command);
      }
    }
    if (!node.ledger.isComplete() || random.nextInt(20) == 0) {
      commands.add(new Command.Reconcile());
    }
    return commands;
  }

  private Command command(Node node) {
    String name = NAMES[random.nextInt(NAMES.length)];
    return switch (random.nextInt(14)) {
      case 0, 1, 2 -> acquire(node, name, false);
      case 3, 4, 5 -> acquire(node, name, true);
      case 6, 7 -> new Command.Release(name, someToken(node, name));
      case 8 -> new Command.Confirm(name, someToken(node, name));
      case 9, 10 -> new Command.Leave(name, 1 + random.nextLong(1 + node.acquisitions));
      case 11 ->
          new Command.Revoke(
              name, someToken(nodes.get(random.nextInt(nodes.size())), name), "why", flip(4));
      case 12 -> random.nextInt(8) == 0 ? new Command.CloseSession() : acquire(node, name, flip(2));
      default -> careless(1).get(0);
    };
  }

  private Command acquire(Node node, String name, boolean queued) {
    boolean again = node.acquisitions > 0 && random.nextInt(10) == 0;
    long id = again ? 1 + random.nextLong(node.acquisitions) : ++node.acquisitions;
    long ttlNanos = Cast.millis(500 + 500 * random.nextInt(8));
    return new Command.Acquire(
        name, OWNERS[random.nextInt(OWNERS.length)], ttlNanos, id, queued, flip(4));
  }

  private long someToken(Node node, String name) {
    for (Map.Entry<Long, String> hold : node.ledger.namesByToken().entrySet()) {
      if (hold.getValue().equals(name)) {
        return hold.getKey();
      }
    }
    return random.nextInt(50);
  }

  /** What nobody should ask. */
  private List<Command> careless(int count) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SessionId session = nodes.get(random.nextInt(nodes.size())).session;
      String name = NAMES[random.nextInt(NAMES.length)];
      commands.add(
          switch (random.nextInt(5)) {
            case 0 -> new Command.Expire(name, session, random.nextInt(20));
            case 1 -> new Command.ExpireSession(session);
            case 2 -> new Command.OpenSession("node", 1);
            case 3 -> new Command.Acquire("", "a", 1, 1, true, true);
            default -> new Command.Revoke(name, random.nextInt(50), "r".repeat(1_001), true);
          });
    }
    return commands;
  }

  private boolean flip(int outOf) {
    return random.nextInt(outOf) == 0;
  }

  /** Tells the node what became of its batch, and checks that it knows what it holds. */
  void answered(Batch batch, BatchReply reply, MapLeaseTable table) {
    if (batch.origin().isEmpty()) {
      return;
    }
    for (Node node : nodes) {
      Batch.Origin origin = batch.origin().get();
      boolean isItsLast =
          origin.session().equals(node.session) && origin.sequence() == node.sequence;
      if (isItsLast) {
        answered(node, batch, reply, table);
      }
    }
  }

  private static void answered(Node node, Batch batch, BatchReply reply, MapLeaseTable table) {
    switch (reply.status()) {
      case APPLIED -> {
        // A copy of a batch has the reply to the batch: what has happened since is news to come.
        if (reply.index() == table.appliedIndex()) {
          heard(node, batch, reply, table);
        }
      }
      case SESSION_UNKNOWN -> node.open = false;
      case STALE, REFUSED -> {}
    }
  }

  private static void heard(Node node, Batch batch, BatchReply reply, MapLeaseTable table) {
    Optional<Session> session = table.session(node.session);
    node.open = session.isPresent();
    if (!node.open) {
      return;
    }
    if (batch.opensSession()) {
      node.sequence = reply.index();
    }
    if (session.get().ordinal() != node.ordinal) {
      // The session had ended, a late copy of its first batch has opened it again, and the gaps in
      // its numbers were wider than those in the log. The digest tells the node what is gone.
      node.ledger = new Ledger();
    }
    node.ordinal = session.get().ordinal();
    node.ledger.note(batch.commands(), reply);
    node.ledger.requireSameAs(node.session, table.view(), reply.heldDigest());
  }
}
