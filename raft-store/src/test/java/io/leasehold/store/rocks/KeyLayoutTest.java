package io.leasehold.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.leasehold.store.codec.Fixtures;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class KeyLayoutTest {

  private static final SessionId A = new SessionId(0x0123456789abcdefL, 0xfedcba9876543210L);

  @Test
  void claimsAreReadAndWritten() {
    Map<String, Claim> claims = new LinkedHashMap<>();
    claims.put("claim", new Claim(A, 10_000_000_000L, "printer", 3));
    claims.put(
        "claim-of-extremes",
        new Claim(new SessionId(-1, 0), Long.MAX_VALUE, "\u00fc\ud83d\ude00", -1));
    Fixtures.check(getClass(), "claims-1.txt", claims, KeyLayout::claim, KeyLayout::claim);

    Map<String, SessionId> sessions = Map.of("session", A);
    Fixtures.check(
        getClass(), "sessions-1.txt", sessions, KeyLayout::session, KeyLayout::sessionId);

    Map<String, String> leases = Map.of("lease", "printer");
    Fixtures.check(getClass(), "leases-1.txt", leases, KeyLayout::lease, KeyLayout::leaseName);
  }

  static Stream<Arguments> prefixes() {
    return Stream.of(
        argumentSet("simple", new byte[] {'C', 5}, new byte[] {'C', 6}),
        argumentSet("carry", new byte[] {'C', -1, -1}, new byte[] {'D'}),
        argumentSet("sign", new byte[] {'C', 127}, new byte[] {'C', -128}));
  }

  @ParameterizedTest
  @MethodSource("prefixes")
  void theKeysAfterAPrefixBegin(byte[] prefix, byte[] after) {
    assertThat(KeyLayout.after(prefix)).isEqualTo(after);
  }

  static Stream<Arguments> keys() {
    Claim claim = new Claim(A, 1, "printer", 1);
    return Stream.of(
        argumentSet("format", KeyLayout.FORMAT, "the format of the table"),
        argumentSet("applied", KeyLayout.APPLIED, "the last applied entry"),
        argumentSet("state", KeyLayout.STATE, "the numbers of the store"),
        argumentSet("lease", KeyLayout.lease("printer"), "lease \"printer\""),
        argumentSet("session", KeyLayout.session(A), "session " + A),
        argumentSet("news", KeyLayout.news(A), "the news of session " + A),
        argumentSet("reply", KeyLayout.lastReply(A), "the last reply to session " + A),
        argumentSet("claim", KeyLayout.claim(claim), "a claim of session " + A),
        argumentSet("claims", KeyLayout.claims(A), "a claim of session " + A),
        argumentSet("revoked", KeyLayout.revoked(claim), "the revoked lease \"printer\""),
        argumentSet("another", "?".getBytes(StandardCharsets.UTF_8), "an unknown row"));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aKeyIsNamedForPeople(byte[] key, String name) {
    assertThat(KeyLayout.describe(key)).isEqualTo(name);
  }
}
