package io.leasehold.harness.check;

import io.leasehold.harness.check.history.Handle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * S15: a lease that is in nobody's hands any more (lost, released, asked for in vain) is given to
 * whoever asks once the time to live has passed, plus what an answer may take. L1: the same where
 * its holder was killed. All in calm time: what a fault delays is excused, and so is the moment of
 * settling after it.
 */
final class PromptTurnover implements Check {

  @Override
  public void judge(History history, Findings findings) {
    for (LeaseHistory lease : history.leases()) {
      new OneLease(history, lease, findings).judge();
    }
  }

  private static final class OneLease {
    private final History history;
    private final LeaseHistory lease;
    private final Findings findings;
    private final double drift;
    private final long answerNanos;
    private final List<Tenure> dutiesOfHolds = new ArrayList<>();
    private final LongestTenures possibleDuties;
    private final LongestTenures duties;
    private final LongestTenures tenures;

    OneLease(History history, LeaseHistory lease, Findings findings) {
      this.history = history;
      this.lease = lease;
      this.findings = findings;
      drift = history.header().parameters().drift();
      answerNanos = history.header().parameters().answerNanos();
      for (int i = 0; i < lease.holds().size(); i++) {
        dutiesOfHolds.add(dutyOfHold(i));
      }
      List<Tenure> possible =
          lease.calls().stream().filter(Call::mayHideAGrant).map(this::dutyOfCall).toList();
      List<Tenure> all = new ArrayList<>(dutiesOfHolds);
      all.addAll(possible);
      all.sort(Comparator.comparingLong(Tenure::from));
      all.addAll(lastMoments(all));
      all.sort(Comparator.comparingLong(Tenure::from));
      possibleDuties = new LongestTenures(possible, Tenure::to);
      duties = new LongestTenures(all, Tenure::to);
      tenures = new LongestTenures(Tenure.of(lease), Tenure::to);
    }

    void judge() {
      for (Call call : lease.calls()) {
        if (call.isRefusal()) {
          judgeRefusal(call);
        }
      }
      LongestEarlier earlier = new LongestEarlier();
      for (int i = 0; i < lease.holds().size(); i++) {
        Call acquire = lease.holds().get(i).acquire();
        if (acquire != null) {
          Tenure certain = earlier.ofOthers(acquire.handle());
          Tenure possible = possibleDuties.begunBy(acquire.returnedAt(), acquire.handle());
          judgeGrant(acquire, later(certain, possible));
        }
        earlier.add(dutiesOfHolds.get(i));
      }
    }

    /** A hold's end is due a time to live after it has left its holder's hands. */
    private Tenure dutyOfHold(int index) {
      Hold hold = lease.holds().get(index);
      Call acquire = hold.acquire();
      long released =
          hold.release() != null && hold.release().isOk()
              ? hold.release().returnedAt()
              : Call.NEVER;
      long handsOff =
          Math.min(
              Math.min(hold.releaseInvokedAt(), hold.toldAt()),
              history.nodeOf(hold.handle()).endedAt());
      long due = acquire == null ? Call.NEVER : dueAfter(handsOff, acquire);
      return new Tenure(
          hold.handle(),
          acquire == null ? Long.MIN_VALUE : acquire.invokedAt(),
          Math.min(Math.min(released, due), lease.supersededAt(index)),
          hold.token(),
          () -> Evidence.grantOf("earlier hold", hold),
          null);
    }

    /** A grant that nobody was told of is given back after the call, or runs out. */
    private Tenure dutyOfCall(Call call) {
      long handsOff = Math.min(call.returnedAt(), history.nodeOf(call.handle()).endedAt());
      return new Tenure(
          call.handle(),
          call.invokedAt(),
          dueAfter(handsOff, call),
          0,
          () -> Evidence.of("possible hold", call),
          null);
    }

    /**
     * Those who waited in vain may have been granted in their last moment, and gave it back: but
     * only a lease that somebody else kept from them until then. Otherwise two who wait for a free
     * lease would explain each other.
     */
    private List<Tenure> lastMoments(List<Tenure> known) {
      LongestTenures kept = new LongestTenures(known, Tenure::to);
      LongestEarlier moments = new LongestEarlier();
      List<Tenure> possible = new ArrayList<>();
      lease.calls().stream()
          .filter(call -> call.isRefusal() && call.invoke().waitNanos() > 0)
          .map(this::lastMoment)
          .sorted(Comparator.comparingLong(Tenure::from))
          .forEach(
              moment -> {
                Tenure before =
                    later(
                        kept.begunBy(moment.to(), moment.holder()),
                        moments.ofOthers(moment.holder()));
                if (before != null
                    && history.calm().after(before.to(), answerNanos) >= moment.from()) {
                  moments.add(moment);
                  possible.add(moment);
                }
              });
      return possible;
    }

    private Tenure lastMoment(Call refusal) {
      return new Tenure(
          refusal.handle(),
          HonestRefusals.refusedFrom(refusal, drift),
          refusal.returnedAt(),
          0,
          () -> Evidence.of("possible hold", refusal),
          null);
    }

    private long dueAfter(long handsOff, Call acquire) {
      return history.calm().after(handsOff, (long) (acquire.invoke().ttlNanos() * (1 + drift)));
    }

    private void judgeRefusal(Call refusal) {
      long since = HonestRefusals.refusedFrom(refusal, drift);
      Tenure last = duties.begunBy(refusal.returnedAt(), refusal.handle());
      Tenure possible = tenures.begunBy(refusal.returnedAt(), refusal.handle());
      if (last == null || possible == null || possible.to() < since) {
        return; // Nothing can explain the refusal at all: that is S8's or S9's.
      }
      Rule rule = rule(last);
      findings.judged(rule, 1);
      if (history.calm().after(last.to(), answerNanos) < since) {
        violated(rule, last, "still refused", refusal);
      }
    }

    private void judgeGrant(Call acquire, @Nullable Tenure last) {
      if (last == null) {
        return;
      }
      Rule rule = rule(last);
      findings.judged(rule, 1);
      long free = Math.max(last.to(), acquire.invokedAt());
      if (history.calm().after(free, answerNanos) < acquire.returnedAt()) {
        violated(rule, last, "granted late", acquire);
      }
    }

    private Rule rule(Tenure last) {
      long died = history.nodeOf(last.holder()).diedAt();
      return died != Call.NEVER && died <= last.to() ? Rule.L1 : Rule.S15;
    }

    private void violated(Rule rule, Tenure last, String role, Call call) {
      findings.violated(
          rule,
          lease.name(),
          last.to(),
          "the lease should have been free by %s: %s".formatted(CallText.seconds(last.to()), role),
          List.of(last.why().get(), Evidence.of(role, call)));
    }
  }

  private static @Nullable Tenure later(@Nullable Tenure one, @Nullable Tenure other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.to() >= other.to() ? one : other;
  }

  /** Of the tenures seen so far, those two of different holders that are due last. */
  private static final class LongestEarlier {
    private @Nullable Tenure longest;
    private @Nullable Tenure longestOfOthers;

    void add(Tenure next) {
      if (longest == null || next.to() > longest.to()) {
        if (longest != null && !longest.holder().equals(next.holder())) {
          longestOfOthers = longest;
        }
        longest = next;
      } else if (!next.holder().equals(longest.holder())
          && (longestOfOthers == null || next.to() > longestOfOthers.to())) {
        longestOfOthers = next;
      }
    }

    @Nullable Tenure ofOthers(Handle asker) {
      return longest != null && longest.holder().equals(asker) ? longestOfOthers : longest;
    }
  }
}
