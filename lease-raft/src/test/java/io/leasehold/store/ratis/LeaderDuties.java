package io.leasehold.store.ratis;

import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Change;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.ExpiryView;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What a member does as the leader, as it is, wired to a simulated member. */
public final class LeaderDuties {

  private final LeaderClock clock;
  private final ExpiryProposer expiry;

  /**
   * @param term the term the member is in
   * @param ready whether it leads and has applied everything of earlier terms
   * @param appliedLeaseTime what the entries applied so far have left
   * @param ticker its monotonic clock
   * @param timer its timer
   * @param table its table
   * @param propose hands a batch to itself
   */
  public LeaderDuties(
      LongSupplier term,
      BooleanSupplier ready,
      LongSupplier appliedLeaseTime,
      Ticker ticker,
      Timer timer,
      Supplier<ExpiryView> table,
      Function<Batch, CompletableFuture<BatchReply>> propose) {
    clock = new LeaderClock(new MemberLeadership(term, ready), appliedLeaseTime, ticker);
    expiry = new ExpiryProposer(clock, question -> look(table, question), propose, timer);
  }

  private static List<Command> look(
      Supplier<ExpiryView> table, Function<ExpiryView, List<Command>> question) {
    return question.apply(table.get());
  }

  /** What the clock showed, and the only term in which that means anything. */
  public record Reading(long nanos, long term) {}

  /** Reads the clock; empty when that means nothing on this member now. */
  public Optional<Reading> read() {
    try {
      LeaderClock.Reading reading = clock.read();
      return Optional.of(new Reading(reading.nanos(), reading.term()));
    } catch (LeaderClock.NotLeadingException e) {
      return Optional.empty();
    }
  }

  /** Keeps the clock going. */
  public void tick() {
    var unused = clock.tick();
  }

  /** It is ready. */
  public void lead(ExpiryView view) {
    expiry.lead(view);
  }

  /** It leads no more. */
  public void follow() {
    expiry.follow();
  }

  /** An entry has been applied. */
  public void applied(List<Change> changes) {
    expiry.applied(changes);
  }

  private record MemberLeadership(LongSupplier ofTerm, BooleanSupplier ready)
      implements LeaderClock.Leadership {

    @Override
    public long term() {
      return ofTerm.getAsLong();
    }

    @Override
    public boolean isReady() {
      return ready.getAsBoolean();
    }
  }
}
