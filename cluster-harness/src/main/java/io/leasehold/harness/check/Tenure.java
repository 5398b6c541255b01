package io.leasehold.harness.check;

import io.leasehold.harness.check.history.Handle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time in which one holder may have had one lease in the store, as wide as the history allows.
 *
 * @param from not before this
 * @param to not after this; {@link Call#NEVER} when nothing tells an end
 * @param token 0 when it is only possible that there was a hold
 * @param why what tells of it
 * @param releasedBy the release that ended it; null when something else did
 */
record Tenure(
    Handle holder,
    long from,
    long to,
    long token,
    Supplier<Evidence> why,
    @Nullable Call releasedBy) {

  /**
   * All tenures of a lease, certain ones and possible ones: an acquire whose outcome is not known
   * may have been granted, and so may one that waited in vain, in its last moment.
   */
  static List<Tenure> of(LeaseHistory lease) {
    List<Tenure> tenures = new ArrayList<>();
    for (int i = 0; i < lease.holds().size(); i++) {
      tenures.add(certain(lease, i));
    }
    for (Call call : lease.calls()) {
      if (call.mayHideAGrant()) {
        tenures.add(possible(call, Call.NEVER));
      } else if (call.isRefusal() && call.invoke().waitNanos() > 0) {
        tenures.add(possible(call, call.returnedAt()));
      }
    }
    tenures.sort(Comparator.comparingLong(Tenure::from));
    return tenures;
  }

  private static Tenure certain(LeaseHistory lease, int index) {
    Hold hold = lease.holds().get(index);
    Call release = hold.release();
    long released = release != null && release.isOk() ? release.returnedAt() : Call.NEVER;
    long superseded = lease.supersededAt(index);
    long from = hold.acquire() == null ? Long.MIN_VALUE : hold.acquire().invokedAt();
    return new Tenure(
        hold.handle(),
        from,
        Math.min(released, superseded),
        hold.token(),
        () -> Evidence.grantOf("earlier hold", hold),
        released < superseded ? release : null);
  }

  private static Tenure possible(Call call, long to) {
    return new Tenure(
        call.handle(), call.invokedAt(), to, 0, () -> Evidence.of("possible hold", call), null);
  }
}
