package io.leasehold.raft.simulation;

import io.leasehold.raft.simulation.Violation.Rule;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Change;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.MapLeaseTable;
import io.leasehold.store.core.Outcome;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.Waiter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Judges what is committed, entry by entry, and that all replicas make the same of it. */
final class LogInvariants implements SimulatedGroup.Observer {

  /** Rounding of readings of clocks. */
  private static final long SLACK_NANOS = 1_000;

  private final World world;
  private final Tenures tenures;
  private final List<Outcome> outcomes = new ArrayList<>();
  private final Map<Place, Long> arrivals = new HashMap<>();
  private final Map<Batch.Origin, BatchReply> replies = new HashMap<>();
  private long lastToken;
  private long leaseTimeNanos;
  private long stampedNanos;

  LogInvariants(World world, Tenures tenures) {
    this.world = world;
    this.tenures = tenures;
  }

  /** One wait in one queue. */
  private record Place(String name, SessionId session, long acquisitionId) {}

  @Override
  public void applied(SimulatedReplica replica, SimulatedLog.LogEntry entry, Outcome outcome) {
    int position = Math.toIntExact(entry.entry().index() - 1);
    if (position < outcomes.size()) {
      if (!outcome.equals(outcomes.get(position))) {
        throw new Violation(
            Rule.SAME_REPLICAS,
            "%s makes %s of entry %d, another one made %s of it"
                .formatted(replica.node(), outcome, position + 1, outcomes.get(position)));
      }
      return;
    }
    while (outcomes.size() < position) {
      outcomes.add(
          new Outcome(
              new BatchReply(BatchReply.Status.APPLIED, 0, List.of(), false, List.of(), 0),
              List.of(),
              List.of()));
    }
    outcomes.add(outcome);
    committed(entry, outcome, replica);
  }

  private void committed(SimulatedLog.LogEntry entry, Outcome outcome, SimulatedReplica replica) {
    Batch batch = entry.batch().orElseThrow();
    checkLeaseTime(entry, replica.table().state().leaseTimeNanos());
    checkOnce(batch, outcome);
    noteArrivals(batch, outcome);
    for (Event event : outcome.events()) {
      world.tell(() -> "entry %d: %s".formatted(entry.entry().index(), event));
      world.mark(event instanceof Event.Granted granted ? granted.token() : 1);
      tenures.happened(event);
      if (event instanceof Event.SessionEnded ended) {
        // Nothing is remembered of it: a late copy of its beginning makes another of that name.
        replies.keySet().removeIf(each -> each.session().equals(ended.holder().session()));
      }
      if (event instanceof Event.Granted granted) {
        checkToken(granted);
        checkLiving(granted, replica.table());
      }
    }
    count(batch, outcome.events());
    outcome.changes().forEach(change -> checkQueue(change, outcome.events()));
  }

  /** CORRECTNESS.md, lemma 1. */
  private void checkLeaseTime(SimulatedLog.LogEntry entry, long nowNanos) {
    long stampedBefore = stampedNanos;
    if (entry.entry().stampTerm() == entry.entry().term()) {
      stampedNanos = Math.max(stampedNanos, entry.stampedAtNanos());
    }
    long grown = nowNanos - leaseTimeNanos;
    double limit = (1 + Plan.DRIFT_MAX) * (stampedNanos - stampedBefore) + SLACK_NANOS;
    if (grown < 0 || grown > limit) {
      throw new Violation(
          Rule.LEASE_TIME,
          "lease time goes from %d to %d by entry %d, while %d ns have passed between the stamps"
              .formatted(
                  leaseTimeNanos, nowNanos, entry.entry().index(), stampedNanos - stampedBefore));
    }
    leaseTimeNanos = nowNanos;
  }

  private void checkToken(Event.Granted granted) {
    if (granted.token() <= lastToken) {
      throw new Violation(
          Rule.TOKEN_ORDER, "%s comes after token %d".formatted(granted, lastToken));
    }
    lastToken = granted.token();
  }

  private void checkLiving(Event.Granted granted, MapLeaseTable table) {
    boolean living =
        table
            .session(granted.holder().session())
            .filter(
                session ->
                    table.state().leaseTimeNanos() - session.renewedNanos() < granted.ttlNanos())
            .isPresent();
    boolean over = table.lease(granted.name()).filter(l -> l.token() == granted.token()).isEmpty();
    if (!living && !over) {
      throw new Violation(
          Rule.LIVING_HOLDER, "%s, and its session has been silent since".formatted(granted));
    }
  }

  private void checkOnce(Batch batch, Outcome outcome) {
    if (batch.origin().isEmpty() || outcome.reply().status() != BatchReply.Status.APPLIED) {
      return;
    }
    BatchReply former = replies.putIfAbsent(batch.origin().get(), outcome.reply());
    if (former == null) {
      return;
    }
    world.count(Occurrence.BATCH_TWICE_IN_LOG);
    if (!former.equals(outcome.reply()) || !outcome.events().isEmpty()) {
      throw new Violation(
          Rule.EXACTLY_ONCE,
          "%s was applied again: %s, and before: %s".formatted(batch, outcome, former));
    }
  }

  private void count(Batch batch, List<Event> events) {
    Optional<SessionId> origin = batch.origin().map(Batch.Origin::session);
    Optional<String> ended = Optional.empty();
    for (Event event : events) {
      if (event instanceof Event.Granted granted) {
        world.count(
            ended.filter(granted.name()::equals).isPresent()
                ? Occurrence.HANDED_OVER
                : Occurrence.GRANTED);
      } else if (event instanceof Event.Released released) {
        world.count(Occurrence.RELEASED);
        ended = Optional.of(released.name());
      } else if (event instanceof Event.Expired expired) {
        world.count(Occurrence.EXPIRED);
        ended = Optional.of(expired.name());
      } else if (event instanceof Event.TakenOver takenOver) {
        world.count(
            takenOver.by().owner().equals(takenOver.holder().owner())
                ? Occurrence.RECLAIMED
                : Occurrence.TAKEN_OVER_WHEN_DUE);
      } else if (event instanceof Event.Revoked) {
        world.count(Occurrence.REVOKED);
      } else if (event instanceof Event.Skipped) {
        world.count(Occurrence.WAITER_SKIPPED);
      } else if (event instanceof Event.SessionEnded && origin.isEmpty()) {
        world.count(Occurrence.SESSION_ENDED);
      }
    }
  }

  private void noteArrivals(Batch batch, Outcome outcome) {
    List<Reply> replies = outcome.reply().replies();
    for (int i = 0; i < replies.size() && i < batch.commands().size(); i++) {
      if (batch.commands().get(i) instanceof Command.Acquire acquire
          && replies.get(i) instanceof Reply.Queued) {
        SessionId session = batch.origin().orElseThrow().session();
        arrivals.putIfAbsent(
            new Place(acquire.name(), session, acquire.acquisitionId()), arrivals.size() + 1L);
      }
    }
  }

  /** Those who wait do so in the order in which they came, behind all who were granted. */
  private void checkQueue(Change change, List<Event> events) {
    if (!(change instanceof Change.PutLease put)) {
      return;
    }
    HeldLease lease = put.lease();
    long last = handedOver(lease.name(), events);
    for (Waiter waiter : lease.queue()) {
      long arrival =
          arrivals.getOrDefault(
              new Place(lease.name(), waiter.holder().session(), waiter.acquisitionId()), 0L);
      if (arrival <= last) {
        throw new Violation(
            Rule.FIRST_COME,
            "%s waits behind one who came later or was granted before it: %s"
                .formatted(waiter, lease));
      }
      last = arrival;
    }
  }

  private long handedOver(String name, List<Event> events) {
    long last = 0;
    for (Event event : events) {
      if (event instanceof Event.Granted granted && granted.name().equals(name)) {
        last =
            arrivals.getOrDefault(
                new Place(name, granted.holder().session(), granted.acquisitionId()), 0L);
      }
    }
    return last;
  }
}
