package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All rules of the store: maps what the table holds and what an entry asks to what is to become of
 * both. Immutable; each call depends on its arguments alone.
 *
 * <p>This class knows batches and sessions; what the commands on leases do is in {@link
 * LeaseRules}, how a hold begins and ends in {@link Grants}.
 */
public final class LeaseMachine {

  private static final List<Reply> OPENED = List.of(new Reply.SessionOpened());

  private final Limits limits;

  public LeaseMachine(Limits limits) {
    this.limits = requireNonNull(limits, "limits");
  }

  /**
   * Applies one entry.
   *
   * @param table the state that all earlier entries have left
   * @param batch what the entry asks
   * @param entry its place in the log and its stamp
   * @return what to write, answer and tell; lease time never falls and is what the entry says if
   *     its stamp is valid
   */
  public Outcome apply(LeaseView table, Batch batch, Entry entry) {
    Draft draft = new Draft(table, entry);
    if (batch.commands().size() > limits.commandsPerBatch()) {
      return withoutEffect(draft, BatchReply.Status.REFUSED, entry);
    }
    return batch.origin().isPresent()
        ? applyNodes(draft, batch, batch.origin().get(), entry)
        : applyStores(draft, batch, entry);
  }

  private Outcome applyNodes(Draft draft, Batch batch, Batch.Origin origin, Entry entry) {
    Optional<Session> known = draft.session(origin.session());
    if (known.isEmpty()) {
      return batch.opensSession()
          ? open(draft, (Command.OpenSession) batch.commands().get(0), origin, entry)
          : withoutEffect(draft, BatchReply.Status.SESSION_UNKNOWN, entry);
    }
    Session session = known.get();
    if (origin.sequence() > session.sequence()) {
      return applyNext(draft, batch, session, origin.sequence(), entry);
    }
    BatchReply last = draft.lastReply(session.id()).orElseThrow();
    if (last.replies().equals(OPENED)) {
      // Any other batch that comes now was sent in an earlier life of the session, before a late
      // copy of the opening has brought it back: it must not fill it again.
      return batch.opensSession()
          ? draft.outcome(last, Optional.empty())
          : withoutEffect(draft, BatchReply.Status.SESSION_UNKNOWN, entry);
    }
    return origin.sequence() == session.sequence()
        ? draft.outcome(last, Optional.empty())
        : withoutEffect(draft, BatchReply.Status.STALE, entry);
  }

  private Outcome applyNext(Draft draft, Batch batch, Session session, long sequence, Entry entry) {
    List<Event> news = new ArrayList<>(draft.news(session.id()));
    if (!news.isEmpty()) {
      draft.putNews(session.id(), List.of());
    }
    draft.put(session.renewed(draft.leaseTimeNanos(), sequence).withNewsLost(false));

    Grants grants = new Grants(draft, limits, Optional.of(session.id()), news);
    LeaseRules rules = new LeaseRules(draft, limits, grants);
    List<Reply> replies = new ArrayList<>(batch.commands().size());
    for (Command command : batch.commands()) {
      replies.add(apply(rules, command, session));
    }

    Optional<Session> after = draft.session(session.id());
    BatchReply reply =
        new BatchReply(
            BatchReply.Status.APPLIED,
            entry.index(),
            news,
            session.newsLost(),
            replies,
            after.map(Session::heldDigest).orElse(0L));
    return draft.outcome(reply, after.map(Session::id));
  }

  private Outcome applyStores(Draft draft, Batch batch, Entry entry) {
    Grants grants = new Grants(draft, limits, Optional.empty(), new ArrayList<>());
    LeaseRules rules = new LeaseRules(draft, limits, grants);
    List<Reply> replies = new ArrayList<>(batch.commands().size());
    for (Command command : batch.commands()) {
      if (command instanceof Command.Expire expire) {
        rules.expire(expire);
        replies.add(new Reply.Decided());
      } else if (command instanceof Command.ExpireSession expire) {
        rules.expireSession(expire.session());
        replies.add(new Reply.Decided());
      } else {
        replies.add(new Reply.Refused("a batch without a session may only expire"));
      }
    }
    BatchReply reply =
        new BatchReply(BatchReply.Status.APPLIED, entry.index(), List.of(), false, replies, 0);
    return draft.outcome(reply, Optional.empty());
  }

  private Outcome open(Draft draft, Command.OpenSession command, Batch.Origin origin, Entry entry) {
    StoreState state = draft.state();
    if (command.node().isBlank()
        || command.node().length() > Limits.NODE_CHARS_MAX
        || command.ttlNanos() <= 0
        || command.ttlNanos() > LeaseRules.TTL_NANOS_MAX
        || state.sessions() >= limits.sessions()) {
      return withoutEffect(draft, BatchReply.Status.REFUSED, entry);
    }
    draft.state(state.withSessionOpened());
    draft.put(
        new Session(
            origin.session(),
            command.node(),
            command.ttlNanos(),
            draft.state().sessionsOpened(),
            draft.leaseTimeNanos(),
            entry.index(),
            0,
            false));
    draft.add(new Event.SessionOpened(new Holder(origin.session(), command.node(), "")));
    BatchReply reply =
        new BatchReply(BatchReply.Status.APPLIED, entry.index(), List.of(), false, OPENED, 0);
    return draft.outcome(reply, Optional.of(origin.session()));
  }

  private static Reply apply(LeaseRules rules, Command command, Session session) {
    if (command instanceof Command.Acquire acquire) {
      return rules.acquire(acquire, session);
    } else if (command instanceof Command.Confirm confirm) {
      return rules.confirm(confirm, session.id());
    } else if (command instanceof Command.Release release) {
      return rules.release(release, session.id());
    } else if (command instanceof Command.Leave leave) {
      return rules.leave(leave, session.id());
    } else if (command instanceof Command.Reconcile) {
      return rules.reconcile(session.id());
    } else if (command instanceof Command.Revoke revoke) {
      return rules.revoke(revoke);
    } else if (command instanceof Command.CloseSession) {
      return rules.closeSession(session.id());
    } else if (command instanceof Command.OpenSession) {
      return new Reply.Refused("the session is open already");
    } else if (command instanceof Command.Expire || command instanceof Command.ExpireSession) {
      return new Reply.Refused("only the store itself may expire");
    }
    throw new IllegalStateException("unknown command: " + command);
  }

  private static Outcome withoutEffect(Draft draft, BatchReply.Status status, Entry entry) {
    return draft.outcome(BatchReply.withoutEffect(status, entry.index()), Optional.empty());
  }
}
