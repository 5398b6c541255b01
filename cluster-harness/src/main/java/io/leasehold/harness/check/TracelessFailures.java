package io.leasehold.harness.check;

import io.leasehold.LeaseEvent.Kind;
import io.leasehold.harness.check.history.HistoryEvent.Watched;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * S10: every grant that an observer saw came from an acquire that was granted it or whose outcome
 * is not known; a call that failed for certain left nothing. One that waited in vain may have been
 * granted in its last moment, and gives it back.
 */
final class TracelessFailures implements Check {

  private record Claimant(String lease, String node, String owner) {}

  @Override
  public void judge(History history, Findings findings) {
    Map<Claimant, Origins> origins = new HashMap<>();
    for (LeaseHistory lease : history.leases()) {
      for (Call call : lease.calls()) {
        if (call.isAcquire()) {
          Claimant claimant =
              new Claimant(lease.name(), call.handle().node(), call.handle().owner());
          origins.computeIfAbsent(claimant, none -> new Origins()).add(call);
        }
      }
    }
    Set<Long> seen = new HashSet<>();
    for (Watched event : history.watched()) {
      if (event.kind() == Kind.GRANTED && seen.add(event.token())) {
        findings.judged(Rule.S10, 1);
        judge(event, origins, findings);
      }
    }
  }

  private static void judge(Watched event, Map<Claimant, Origins> origins, Findings findings) {
    if (event.owner() == null || event.holder() == null) {
      return;
    }
    Origins possible = origins.get(new Claimant(event.lease(), event.holder(), event.owner()));
    if (possible == null || !possible.explain(event)) {
      findings.violated(
          Rule.S10,
          event.lease(),
          event.at(),
          "token %d was granted to %s/%s, none of whose calls can have asked for it"
              .formatted(event.token(), event.holder(), event.owner()),
          List.of(ObservedOrder.evidence("observed", event)));
    }
  }

  /** What acquires of one claimant there were that can have led to a grant. */
  private static final class Origins {
    private final Set<Long> tokens = new HashSet<>();
    private long firstOpen = Call.NEVER;

    void add(Call call) {
      if (call.isGrant() && call.token() != 0) {
        tokens.add(call.token());
      } else if (call.mayHideAGrant() || (call.isRefusal() && call.invoke().waitNanos() > 0)) {
        firstOpen = Math.min(firstOpen, call.invokedAt());
      }
    }

    boolean explain(Watched grant) {
      return tokens.contains(grant.token()) || firstOpen <= grant.at();
    }
  }
}
