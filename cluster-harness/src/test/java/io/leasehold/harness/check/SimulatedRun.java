package io.leasehold.harness.check;

import io.leasehold.LeaseLost.Reason;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent;
import io.leasehold.harness.check.history.HistoryEvent.Fault;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Mark;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import io.leasehold.harness.check.history.HistoryHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A toy cluster that keeps every promise, in steps of a millisecond: the source of good histories
 * with kills, pauses, partitions and revocations in them. Its store is one object without Raft; a
 * connected node is renewed at every step.
 */
final class SimulatedRun {

  private static final long STEP = 1_000_000L;
  private static final int TTL = 1_000;
  private static final int SAMPLE_EVERY = 8;

  private final Random random;
  private final List<HistoryEvent> events = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, Stored> store = new HashMap<>();
  private final int steps;
  private int now;
  private long lastAt;
  private long calls;
  private long lastToken = 1_000;
  private int faults;

  private SimulatedRun(long seed, int seconds, int leases) {
    random = new Random(seed);
    steps = seconds * 1_000;
    for (int n = 1; n <= 3; n++) {
      nodes.add(new Node("n" + n, leases));
    }
    for (int l = 0; l < leases; l++) {
      store.put("lease" + l, new Stored());
    }
  }

  static HistoryHeader header(long seed) {
    return HistoryHeader.of(
        seed, "simulated", List.of("n1", "n2", "n3"), HistoryHeader.Parameters.defaults());
  }

  /** A run with faults in its middle part and a calm end. */
  static List<HistoryEvent> events(long seed, int seconds, int leases) {
    SimulatedRun run = new SimulatedRun(seed, seconds, leases);
    run.run();
    return run.events;
  }

  private void run() {
    nodes.forEach(node -> node.life(Life.Step.START));
    nodes.forEach(node -> node.life(Life.Step.READY));
    int faultsOver = steps - 12_000;
    for (now = 1; now < steps; now++) {
      if (now % 1_500 == 0 && now < faultsOver - 4_000) {
        harm(nodes.get(random.nextInt(nodes.size())));
      }
      if (now == faultsOver) {
        events.add(new Mark(at(), Mark.What.FAULTS_OVER));
      }
      nodes.forEach(Node::step);
      store.values().forEach(Stored::step);
      nodes.forEach(node -> node.clients.forEach(Client::step));
      if (now % 2_000 == 1_000) {
        revokeSomething();
      }
    }
    events.add(new Mark(at(), Mark.What.END));
  }

  private void harm(Node node) {
    if (!node.isFine()) {
      return;
    }
    int length = 200 + random.nextInt(3_000);
    switch (random.nextInt(3)) {
      case 0 -> node.kill(length);
      case 1 -> node.pause(length);
      default -> node.cut(length);
    }
  }

  private void revokeSomething() {
    Node through = nodes.get(random.nextInt(nodes.size()));
    Client victim = through.clients.get(0);
    Stored stored = stored(victim.handle().lease());
    if (stored.holder == null || !through.isFine()) {
      return;
    }
    Handle operator = new Handle(through.name, through.run, "operator", victim.handle().lease());
    long call = ++calls;
    events.add(Invoke.revoke(at(), call, operator, stored.token));
    Client holder = stored.holder.client();
    if (holder.claim().equals(stored.holder) && holder.isHolding() && holder.node.isConnected()) {
      holder.lose(Reason.REVOKED);
      stored.free();
    } else {
      stored.revoked = true;
    }
    events.add(Return.answered(at(), call, true));
  }

  private Stored stored(String lease) {
    Stored stored = store.get(lease);
    if (stored == null) {
      throw new IllegalStateException(lease);
    }
    return stored;
  }

  /** An instant of this step, later than every one before. */
  private long at() {
    lastAt = Math.max(lastAt + 2, STEP * now);
    return lastAt;
  }

  private final class Node {
    private final String name;
    private final List<Client> clients = new ArrayList<>();
    private final List<Runnable> owed = new ArrayList<>();
    private int run = 1;
    private int downUntil;
    private int pausedUntil;
    private int cutUntil;
    private final Map<Integer, Integer> renewedAt = new HashMap<>();
    private int lastApply;
    private int fault;

    Node(String name, int leases) {
      this.name = name;
      for (int l = 0; l < leases; l++) {
        clients.add(new Client(this, "lease" + l, "a"));
        clients.add(new Client(this, "lease" + l, "b"));
      }
    }

    boolean isUp() {
      return downUntil == 0 && pausedUntil == 0;
    }

    boolean isConnected() {
      return isUp() && cutUntil == 0;
    }

    boolean isFine() {
      return isConnected();
    }

    void life(Life.Step step) {
      events.add(new Life(at(), name, run, step));
    }

    void kill(int length) {
      fault("kill", true);
      life(Life.Step.KILL);
      fault("kill", false);
      downUntil = now + length;
      owed.clear();
      clients.forEach(Client::die);
      run++;
    }

    void pause(int length) {
      fault("pause", true);
      life(Life.Step.PAUSE);
      pausedUntil = now + length;
    }

    void cut(int length) {
      fault("partition", true);
      cutUntil = now + length;
    }

    private void fault(String kind, boolean begins) {
      fault = begins ? ++faults : fault;
      events.add(
          new Fault(at(), fault, begins, kind, List.of(name), Map.of(), true, true, "simulated"));
    }

    void step() {
      if (downUntil == now) {
        downUntil = 0;
        life(Life.Step.START);
        life(Life.Step.READY);
      }
      if (pausedUntil == now) {
        pausedUntil = 0;
        life(Life.Step.RESUME);
        fault("pause", false);
        clients.forEach(Client::notice);
      }
      if (cutUntil == now) {
        cutUntil = 0;
        fault("partition", false);
        clients.forEach(Client::notice);
      }
      if (isConnected()) {
        renewedAt.put(run, now);
        owed.forEach(Runnable::run);
        owed.clear();
      }
    }

    int renewedAt(int ofRun) {
      return renewedAt.getOrDefault(ofRun, 0);
    }

    /** Calls of a node reach the store in their order. */
    int applyAt() {
      lastApply = Math.max(lastApply, now + 1 + random.nextInt(8));
      return lastApply;
    }
  }

  private final class Stored {
    private final Deque<Claim> queue = new ArrayDeque<>();
    private @Nullable Claim holder;
    private long token;
    private int ranOutAt;
    private boolean revoked;

    void step() {
      if (holder != null) {
        ranOutAt = revoked ? ranOutAt : holder.renewedAt() + TTL;
        if (now >= ranOutAt) {
          free();
        }
      }
    }

    void grant(Claim claim) {
      holder = claim;
      token = ++lastToken;
      ranOutAt = claim.renewedAt() + TTL;
      revoked = false;
    }

    void free() {
      holder = null;
      Claim next = queue.poll();
      while (next != null && next.renewedAt() + TTL <= now) {
        next = queue.poll();
      }
      if (next != null) {
        grant(next);
      }
    }

    void giveBack(long expected) {
      if (holder != null && token == expected) {
        free();
      }
    }
  }

  /** A client in one start of its node: what the store knows a holder or waiter as. */
  private record Claim(Client client, int run) {
    int renewedAt() {
      return client.node.renewedAt(run);
    }
  }

  private enum State {
    IDLE,
    ACQUIRING,
    QUEUED,
    ANSWERED,
    HOLDING,
    RELEASING,
    UNANSWERED
  }

  private final class Client {
    private final Node node;
    private final String lease;
    private final String owner;
    private State state = State.IDLE;
    private int next = 1 + random.nextInt(100);
    private int waitUntil;
    private long call;
    private long handedAt;
    private boolean granted;
    private long token;

    Client(Node node, String lease, String owner) {
      this.node = node;
      this.lease = lease;
      this.owner = owner;
    }

    Handle handle() {
      return new Handle(node.name, node.run, owner, lease);
    }

    Claim claim() {
      return new Claim(this, node.run);
    }

    boolean isHolding() {
      return state == State.HOLDING;
    }

    void die() {
      state = State.IDLE;
      next = node.downUntil + 10;
    }

    void step() {
      if (!node.isUp()) {
        return;
      }
      notice();
      if (now % SAMPLE_EVERY == 0) {
        long before = at();
        boolean alive = isHolding();
        events.add(Sample.of(handle(), alive ? token : 0, alive, before, before + 1));
      }
      if (state == State.QUEUED) {
        stepQueued();
      } else if (now >= next) {
        act();
      }
    }

    /** The local deadline, before anything else can be asked. */
    void notice() {
      if (isHolding() && now - node.renewedAt(node.run) >= TTL * 4 / 5) {
        lose(Reason.UNREACHABLE);
        oweBack(token);
      }
    }

    void lose(Reason reason) {
      events.add(Lost.of(handle(), at(), token, reason));
      idle();
    }

    private void act() {
      switch (state) {
        case IDLE -> ask();
        case ACQUIRING -> reachStore();
        case ANSWERED -> answer();
        case HOLDING -> release();
        case RELEASING -> freeInStore();
        case UNANSWERED -> {
          events.add(Return.failed(at(), call, false, "timed out"));
          idle();
        }
        case QUEUED -> throw new IllegalStateException();
      }
    }

    private void ask() {
      call = ++calls;
      int wait = random.nextInt(3) == 0 ? 200 + random.nextInt(2_000) : 0;
      waitUntil = wait == 0 ? 0 : now + wait;
      events.add(Invoke.acquire(at(), call, handle(), STEP * TTL, STEP * wait));
      handedAt = at();
      become(State.ACQUIRING, node.applyAt());
    }

    private void reachStore() {
      if (!node.isConnected()) {
        become(State.UNANSWERED, now + 500);
        return;
      }
      Stored stored = stored(lease);
      granted = stored.holder == null;
      if (granted) {
        stored.grant(claim());
        token = stored.token;
      } else if (waitUntil > 0) {
        stored.queue.add(claim());
        become(State.QUEUED, 0);
        return;
      }
      become(State.ANSWERED, now + 1 + random.nextInt(4));
    }

    private void stepQueued() {
      Stored stored = stored(lease);
      if (claim().equals(stored.holder) && node.isConnected()) {
        token = stored.token;
        granted = true;
        become(State.ANSWERED, now + 1);
      } else if (now >= waitUntil) {
        if (node.isConnected()) {
          stored.queue.remove(claim());
          granted = false;
          become(State.ANSWERED, now + 1);
        } else {
          Claim claim = claim();
          node.owed.add(() -> leave(stored, claim));
          become(State.UNANSWERED, now + 100);
        }
      }
    }

    private void leave(Stored stored, Claim claim) {
      stored.queue.remove(claim);
      if (claim.equals(stored.holder)) {
        stored.free();
      }
    }

    private void answer() {
      if (!node.isConnected()) {
        if (granted) {
          oweBack(token);
        }
        become(State.UNANSWERED, now + 500);
        return;
      }
      Return end = granted ? Return.granted(at(), call, token) : Return.answered(at(), call, false);
      events.add(end.handedAt(handedAt));
      if (granted) {
        become(State.HOLDING, now + 50 + random.nextInt(800));
      } else {
        idle();
      }
    }

    private void release() {
      call = ++calls;
      events.add(Invoke.release(at(), call, handle()));
      handedAt = at();
      become(State.RELEASING, node.applyAt());
    }

    private void freeInStore() {
      if (!node.isConnected()) {
        oweBack(token);
        become(State.UNANSWERED, now + 500);
        return;
      }
      stored(lease).giveBack(token);
      events.add(Return.answered(at(), call, true).handedAt(handedAt));
      idle();
    }

    private void oweBack(long expected) {
      node.owed.add(() -> stored(lease).giveBack(expected));
    }

    private void idle() {
      become(State.IDLE, now + 20 + random.nextInt(300));
    }

    private void become(State newState, int at) {
      state = newState;
      next = at;
    }
  }
}
