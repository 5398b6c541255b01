package io.leasehold.harness.check;

import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a history tells about one hold: one token in the hands of one holder.
 *
 * @param acquire the call that was granted it; null when no call said so (its outcome is unknown,
 *     or it is an invention)
 * @param confirms later acquires that were answered with the same token
 * @param release the first release that its holder called after the acquire was invoked
 * @param firstTrue the sample that said alive and ended first; of a run of samples, its first
 * @param lastTrue the sample that said alive and began last; of a run, its last
 * @param firstFalse the first sample that began after the grant had returned and said no
 * @param losses what handlers were told about it
 */
record Hold(
    long token,
    Handle handle,
    @Nullable Call acquire,
    List<Call> confirms,
    @Nullable Call release,
    @Nullable Sample firstTrue,
    @Nullable Sample lastTrue,
    @Nullable Sample firstFalse,
    List<Lost> losses) {

  /** When the grant had certainly been made; never when no call told. */
  long grantedAt() {
    return acquire == null ? Call.NEVER : acquire.returnedAt();
  }

  /** When it was certainly in force: its grant had returned, or its holder had seen it alive. */
  long provenAt() {
    return Math.min(grantedAt(), firstTrue == null ? Call.NEVER : firstTrue.after());
  }

  /** When its holder last began to see it alive; before everything when it never did. */
  long lastAliveAt() {
    return lastTrue == null ? Long.MIN_VALUE : lastTrue.lastBefore();
  }

  /** From when on its holder had called release; never when it did not. */
  long releaseInvokedAt() {
    return release == null ? Call.NEVER : release.invokedAt();
  }

  /** The end of the first sample that said no. */
  long firstFalseAt() {
    return firstFalse == null ? Call.NEVER : firstFalse.after();
  }

  /** When a handler was first told of its loss; never when none was. */
  long toldAt() {
    return losses.isEmpty() ? Call.NEVER : losses.get(0).at();
  }
}
