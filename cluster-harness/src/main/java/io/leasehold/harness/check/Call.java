package io.leasehold.harness.check;

import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Operation;
import io.leasehold.harness.check.history.HistoryEvent.Outcome;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import org.jspecify.annotations.Nullable;

/**
 * A client's call from its invocation to its return. It took effect somewhere between the two, if
 * it did; one that never returned has {@link #NEVER} as its return.
 */
public record Call(Invoke invoke, @Nullable Return end) {

  /** Later than everything. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Names it in the history. */
  public long id() {
    return invoke.call();
  }

  public Handle handle() {
    return invoke.handle();
  }

  public String lease() {
    return invoke.handle().lease();
  }

  public long invokedAt() {
    return invoke.at();
  }

  public long returnedAt() {
    return end == null ? NEVER : end.at();
  }

  /** When it had certainly been handed over: stamped then, or at its return where it was not. */
  public long handedAt() {
    return end == null || end.handedAt() == 0 ? returnedAt() : end.handedAt();
  }

  /** The granted hold's token; 0 when none or not known. */
  public long token() {
    return end == null ? 0 : end.token();
  }

  public boolean isAcquire() {
    return invoke.op() == Operation.ACQUIRE;
  }

  public boolean isRelease() {
    return invoke.op() == Operation.RELEASE;
  }

  public boolean isRevoke() {
    return invoke.op() == Operation.REVOKE;
  }

  public boolean isGrant() {
    return isAcquire() && isOk() && isYes();
  }

  public boolean isRefusal() {
    return isAcquire() && isOk() && !isYes();
  }

  private boolean isYes() {
    return end != null && end.yes();
  }

  /** Whether it may or may not have had an effect. */
  public boolean isUnknown() {
    return end == null || end.outcome() == Outcome.INFO;
  }

  public boolean isOk() {
    return end != null && end.outcome() == Outcome.OK;
  }

  public boolean isFailed() {
    return end != null && end.outcome() == Outcome.FAIL;
  }

  /** Whether an acquire may have been given a hold whose token this history does not tell. */
  public boolean mayHideAGrant() {
    return isAcquire() && (isUnknown() || (isGrant() && token() == 0));
  }

  @Override
  public String toString() {
    return CallText.of(this);
  }
}
