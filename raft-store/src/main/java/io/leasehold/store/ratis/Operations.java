package io.leasehold.store.ratis;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.store.Member;
import io.leasehold.store.ProposeException;
import io.leasehold.store.StoreConfig;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What operators ask of this replica and its group. Safe for many threads. */
final class Operations {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final StoreConfig config;
  private final LocalServer local;
  private final Roster roster;
  private final Proposer proposer;
  private final Ticker ticker;
  private final Timer timer;

  /**
   * @param roster with the ways to all other members
   * @param timer limits what is asked of others
   */
  Operations(
      StoreConfig config,
      LocalServer local,
      Roster roster,
      Proposer proposer,
      Ticker ticker,
      Timer timer) {
    this.config = config;
    this.local = local;
    this.roster = roster;
    this.proposer = proposer;
    this.ticker = ticker;
    this.timer = timer;
  }

  /** See {@link io.leasehold.store.LeaseStore#transferLeadership}. */
  CompletableFuture<Boolean> transferLeadership(String to) {
    List<String> ids = roster.voters().stream().map(Member::id).toList();
    if (!ids.contains(to)) {
      throw new InvalidLeaseArgumentException(
          "to", "must be one of the members %s: '%s'".formatted(ids, to));
    }
    Optional<String> leader = local.leader();
    if (leader.isEmpty()) {
      throw new ProposeException(
          "no leader is known that could hand over: see that a majority of the members runs",
          true,
          null);
    }
    if (leader.get().equals(to)) {
      return CompletableFuture.completedFuture(true);
    }
    // An election that is won at the first try takes less.
    Duration limit = config.electionTimeoutMax().multipliedBy(2).plusSeconds(1);
    return requireAnswer(to)
        .thenCompose(answered -> transfer(to, ticker.nanos() + limit.toNanos()));
  }

  /**
   * A leader that hands over serves nobody until the other one leads or the time is up, so one that
   * cannot be reached is found out before.
   */
  CompletableFuture<Void> requireAnswer(String member) {
    if (member.equals(config.nodeId())) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> answer = reach(member, ticker.nanos() + ANSWER_LIMIT.toNanos());
    Timer.Cancellable limit =
        timer.schedule(
            ANSWER_LIMIT.multipliedBy(2),
            () ->
                answer.completeExceptionally(
                    new ProposeException(
                        "member " + member + " is silent: see that it runs and can be reached",
                        true,
                        null)));
    var unused = answer.whenComplete((done, failure) -> limit.cancel());
    return answer;
  }

  /** Again after a failure: a change of the leader ends whatever is under way. */
  private CompletableFuture<Void> reach(String member, long untilNanos) {
    return proposer
        .reach(member)
        .exceptionallyCompose(
            failure ->
                ticker.nanos() - untilNanos >= 0
                    ? CompletableFuture.failedFuture(failure)
                    : later().thenCompose(unused -> reach(member, untilNanos)));
  }

  /** A leader that is new refuses at first, and this node may not have heard of it yet. */
  private CompletableFuture<Boolean> transfer(String to, long untilNanos) {
    Optional<String> leader = local.leader();
    if (leader.equals(Optional.of(to))) {
      return CompletableFuture.completedFuture(true);
    }
    long left = untilNanos - ticker.nanos();
    if (left <= 0) {
      return CompletableFuture.completedFuture(false);
    }
    CompletableFuture<Boolean> attempt =
        leader
            .map(id -> ask(id, to, Duration.ofNanos(left)))
            .orElseGet(() -> CompletableFuture.completedFuture(false));
    return attempt.thenCompose(
        done ->
            done
                ? CompletableFuture.completedFuture(true)
                : later().thenCompose(unused -> transfer(to, untilNanos)));
  }

  private CompletableFuture<Boolean> ask(String leader, String to, Duration limit) {
    return roster
        .link(leader)
        .map(link -> link.askToTransfer(local.toTransfer(roster.peer(leader), to, limit)))
        .orElseGet(() -> local.transfer(to, limit));
  }

  private CompletableFuture<Void> later() {
    CompletableFuture<Void> later = new CompletableFuture<>();
    var unused = timer.schedule(PAUSE, () -> later.complete(null));
    return later;
  }
}
