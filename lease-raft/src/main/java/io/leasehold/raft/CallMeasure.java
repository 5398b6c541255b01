package io.leasehold.raft;

import io.leasehold.LeaseIndeterminateException;
import io.leasehold.raft.meters.HolderMeters.AcquireOutcome;
import io.leasehold.raft.meters.HolderMeters.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/** Tells the node's meters how one call of a user has ended, and how long it took. Immutable. */
final class CallMeasure {

  private CallMeasure() {}

  /** A call of acquire. */
  record OfAcquire(LeaseNode node, String lease, boolean waits, long calledNanos)
      implements Completion.Measure<Boolean> {

    @Override
    public void answered(@Nullable Boolean held, @Nullable Throwable failure) {
      if (failure != null) {
        ended(
            failure instanceof LeaseIndeterminateException
                ? AcquireOutcome.INDETERMINATE
                : AcquireOutcome.UNAVAILABLE);
      } else {
        ended(Boolean.TRUE.equals(held) ? AcquireOutcome.ACQUIRED : AcquireOutcome.REFUSED);
      }
    }

    @Override
    public void endedByOwner() {
      ended(AcquireOutcome.CANCELLED);
    }

    void ended(AcquireOutcome outcome) {
      node.meters().acquireEnded(lease, waits, outcome, node.nowNanos() - calledNanos);
    }
  }

  /** A call of release; one whose caller does not wait for its end is not measured. */
  record OfRelease(LeaseNode node, String lease, boolean held, long calledNanos)
      implements Completion.Measure<Void> {

    @Override
    public void answered(@Nullable Void nothing, @Nullable Throwable failure) {
      ReleaseOutcome outcome =
          failure != null
              ? ReleaseOutcome.INDETERMINATE
              : held ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD;
      node.meters().releaseEnded(lease, outcome, node.nowNanos() - calledNanos);
    }

    @Override
    public void endedByOwner() {}
  }
}
