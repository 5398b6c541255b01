package io.leasehold.harness.check;

import java.util.List;

/**
 * S7: from the call of release on, before anything is sent, the hold is not alive. Where the
 * acquire was still under way when release was called, the same holds from the release's return on.
 */
final class SilenceAfterRelease implements Check {

  @Override
  public void judge(History history, Findings findings) {
    for (LeaseHistory lease : history.leases()) {
      for (Hold hold : lease.holds()) {
        Call release = hold.release();
        if (release == null) {
          continue;
        }
        findings.judged(Rule.S7, 1);
        boolean wasGranted = hold.grantedAt() < release.invokedAt();
        long silentFrom = wasGranted ? release.handedAt() : release.returnedAt();
        if (hold.lastTrue() != null && hold.lastAliveAt() > silentFrom) {
          findings.violated(
              Rule.S7,
              lease.name(),
              hold.lastAliveAt(),
              "token %d was alive %s after its release"
                  .formatted(hold.token(), CallText.duration(hold.lastAliveAt() - silentFrom)),
              List.of(
                  Evidence.grantOf("hold", hold),
                  Evidence.of("release", release),
                  Evidence.last("alive", hold.lastTrue())));
        }
      }
    }
  }
}
