package io.leasehold.harness.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class PageGuardTest {

  private static final String HOST = "127.0.0.1:8080";
  private static final String ORIGIN = "http://127.0.0.1:8080";
  private static final String JSON = "application/json";

  private final PageGuard guard = new PageGuard(8080);

  @Test
  void pageItselfMayLookAndChange() {
    assertThat(guard.fault(false, HOST, null, "none", null)).isEmpty();
    assertThat(guard.fault(false, "localhost:8080", null, null, null)).isEmpty();
    assertThat(guard.fault(true, HOST, ORIGIN, "same-origin", JSON)).isEmpty();
    assertThat(guard.fault(true, "[::1]:8080", "http://[::1]:8080", null, JSON)).isEmpty();
    assertThat(new PageGuard(80).fault(false, "localhost", null, null, null)).isEmpty();
  }

  static Stream<Arguments> strangers() {
    return Stream.of(
        argumentSet("no host", false, null, null, null, null),
        argumentSet("a name that leads to loopback", false, "evil.example:8080", null, null, null),
        argumentSet(
            "its change", true, "evil.example:8080", "http://evil.example:8080", null, JSON),
        argumentSet("another port", false, "127.0.0.1:8081", null, null, null),
        argumentSet("a name that begins alike", false, "127.0.0.1:8080.evil", null, null, null),
        argumentSet("another page", true, HOST, "http://evil.example", "cross-site", JSON),
        argumentSet("another page that only looks", false, HOST, "http://evil.example", null, null),
        argumentSet("another port's page", true, HOST, "http://127.0.0.1:9000", "same-site", JSON),
        argumentSet("another name of it", true, HOST, "http://localhost:8080", "same-site", JSON),
        argumentSet("a report, or a file", true, HOST, "null", "cross-site", JSON),
        argumentSet("a program", true, HOST, null, null, JSON),
        argumentSet("a browser that knows better", true, HOST, ORIGIN, "cross-site", JSON),
        argumentSet("a form", true, HOST, ORIGIN, "same-origin", "text/plain"),
        argumentSet("nothing", true, HOST, ORIGIN, "same-origin", null));
  }

  @ParameterizedTest
  @MethodSource("strangers")
  void nobodyElseMay(
      boolean isChange,
      @Nullable String host,
      @Nullable String origin,
      @Nullable String site,
      @Nullable String contentType) {
    assertThat(guard.fault(isChange, host, origin, site, contentType)).isPresent();
  }
}
