package io.leasehold.store.core;

/**
 * The few numbers that concern the whole store.
 *
 * @param leaseTimeNanos the replicated clock; never falls
 * @param lastToken the greatest fencing token granted, or the base that the first one has to exceed
 * @param sessionsOpened how many sessions have ever been opened; orders them
 * @param sessions how many sessions there are
 * @param leases how many leases are held
 */
public record StoreState(
    long leaseTimeNanos, long lastToken, long sessionsOpened, int sessions, int leases) {

  /** The state before the first entry. */
  public static final StoreState INITIAL = new StoreState(0, 0, 0, 0, 0);

  StoreState at(Entry entry) {
    long time =
        entry.hasValidStamp() ? Math.max(leaseTimeNanos, entry.stampNanos()) : leaseTimeNanos;
    return new StoreState(
        time, Math.max(lastToken, entry.tokenFloor()), sessionsOpened, sessions, leases);
  }

  StoreState withNextToken() {
    return new StoreState(
        leaseTimeNanos, Math.addExact(lastToken, 1), sessionsOpened, sessions, leases);
  }

  StoreState withSessionOpened() {
    return new StoreState(leaseTimeNanos, lastToken, sessionsOpened + 1, sessions + 1, leases);
  }

  StoreState withSessionEnded() {
    return new StoreState(leaseTimeNanos, lastToken, sessionsOpened, sessions - 1, leases);
  }

  StoreState withLeasesChangedBy(int difference) {
    return new StoreState(leaseTimeNanos, lastToken, sessionsOpened, sessions, leases + difference);
  }
}
