package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.core.Change;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The times of the index are early, never late, and settle where they are looked at. */
final class ExpiryIndexTest {

  private static final SessionId A = new SessionId(1, 1);
  private static final SessionId B = new SessionId(2, 2);

  private static final long SESSION_TTL = 1_000;

  private final ExpiryIndex index = new ExpiryIndex();

  @Test
  void nothingIsDueInAnEmptyTable() {
    assertThat(index.nextDueNanos()).isEmpty();
    assertThat(index.dueBy(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void aSessionWithoutClaimsIsDueAfterItsOwnTtl() {
    index.apply(List.of(put(A, 100, 1_000)));

    assertThat(index.nextDueNanos()).hasValue(1_100);
    assertThat(index.dueBy(1_099)).isEmpty();
    assertThat(index.dueBy(1_100)).extracting(ExpiryIndex.Suspect::session).containsExactly(A);
  }

  @Test
  void theShortestClaimIsDueFirst() {
    index.apply(List.of(put(A, 0, 1_000), claim(A, "long", 500), claim(A, "short", 200)));

    assertThat(index.nextDueNanos()).hasValue(200);
  }

  @Test
  void aRenewalMovesWhatIsDue() {
    index.apply(List.of(put(A, 0, 1_000), claim(A, "x", 200), put(A, 150, 1_000)));

    assertThat(index.nextDueNanos()).hasValue(350);
  }

  @Test
  void aClaimThatHasEndedIsFoundOutWhenItWouldHaveBeenDue() {
    index.apply(List.of(put(A, 0, 1_000), claim(A, "gone", 200), claim(A, "stays", 500)));

    ExpiryIndex.Suspect suspect = index.dueBy(200).get(0);
    index.observe(suspect, OptionalLong.of(500));

    assertThat(index.nextDueNanos()).hasValue(500);
  }

  @Test
  void whatWasObservedIsVoidIfAClaimHasComeMeanwhile() {
    index.apply(List.of(put(A, 0, 1_000), claim(A, "gone", 200)));
    ExpiryIndex.Suspect suspect = index.dueBy(200).get(0);

    index.apply(List.of(claim(A, "new", 300)));
    index.observe(suspect, OptionalLong.empty());

    assertThat(index.nextDueNanos().orElseThrow()).isLessThanOrEqualTo(300);
  }

  @Test
  void aRevokedClaimIsDueWhenItsFrozenExpiryIs() {
    Claim claim = new Claim(A, 500, "x", 1);
    index.apply(List.of(put(A, 0, 10_000), new Change.PutRevoked(claim, 400)));

    assertThat(index.nextDueNanos()).hasValue(400);
    index.apply(List.of(new Change.RemoveRevoked(claim)));
    assertThat(index.nextDueNanos()).hasValue(10_000);
  }

  @Test
  void aSessionThatHasEndedIsForgotten() {
    index.apply(List.of(put(A, 0, 10), put(B, 0, 20), new Change.RemoveSession(A)));

    assertThat(index.nextDueNanos()).hasValue(20);
    assertThat(index.dueBy(100)).extracting(ExpiryIndex.Suspect::session).containsExactly(B);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void isNeverLateAndExactOnceSettled(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Map<SessionId, Known> sessions = new TreeMap<>();
    long now = 0;
    for (int step = 0; step < 2_000; step++) {
      now += random.nextInt(5);
      SessionId id = new SessionId(0, random.nextInt(5));
      Known known = sessions.get(id);
      int choice = random.nextInt(4);
      if (known == null || choice == 0) {
        sessions.computeIfAbsent(id, unused -> new Known()).renewed = now;
        index.apply(List.of(put(id, now, SESSION_TTL)));
      } else if (choice == 1) {
        Claim claim = new Claim(id, 1 + random.nextInt(50), "l" + random.nextInt(9), 1);
        known.claims.add(claim);
        index.apply(List.of(new Change.PutClaim(claim)));
      } else if (choice == 2 && !known.claims.isEmpty()) {
        index.apply(List.of(new Change.RemoveClaim(known.claims.pollFirst())));
      } else if (choice == 3) {
        sessions.remove(id);
        index.apply(List.of(new Change.RemoveSession(id)));
      }

      OptionalLong due = sessions.values().stream().mapToLong(Known::due).min();
      assertThat(index.nextDueNanos().orElse(Long.MAX_VALUE))
          .isLessThanOrEqualTo(due.orElse(Long.MAX_VALUE));
      for (ExpiryIndex.Suspect suspect : index.dueBy(Long.MAX_VALUE)) {
        Known suspected = sessions.getOrDefault(suspect.session(), new Known());
        index.observe(suspect, suspected.ttlMin());
      }
      assertThat(index.nextDueNanos()).isEqualTo(due);
    }
  }

  /** The plain way to know what is due. */
  private static final class Known {
    private final TreeSet<Claim> claims = new TreeSet<>();
    private long renewed;

    OptionalLong ttlMin() {
      return claims.stream().mapToLong(Claim::ttlNanos).min();
    }

    long due() {
      return renewed + ttlMin().orElse(SESSION_TTL);
    }
  }

  private static Change put(SessionId id, long renewedNanos, long ttlNanos) {
    return new Change.PutSession(new Session(id, "n", ttlNanos, 1, renewedNanos, 1, 0, false));
  }

  private static Change claim(SessionId id, String name, long ttlNanos) {
    return new Change.PutClaim(new Claim(id, ttlNanos, name, 1));
  }
}
