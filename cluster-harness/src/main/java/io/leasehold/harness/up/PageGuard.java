package io.leasehold.harness.up;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets nobody but the page itself in. The server listens on loopback, but any page in the same
 * browser can send requests there: a name of its own that leads to loopback (DNS rebinding) shows
 * in the Host header, and a request from another page in the Origin header. Immutable.
 */
final class PageGuard {

  private final Set<String> hosts;

  /**
   * @param port that the server listens on
   */
  PageGuard(int port) {
    this.hosts =
        port == 80
            ? Set.of("127.0.0.1", "localhost", "[::1]", "127.0.0.1:80", "localhost:80", "[::1]:80")
            : Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port);
  }

  /**
   * Looks at a request.
   *
   * @param isChange whether it is to change something
   * @param host its Host header
   * @param origin its Origin header
   * @param site its Sec-Fetch-Site header
   * @param contentType its Content-Type header
   * @return why it is refused; empty when it is not
   */
  Optional<String> fault(
      boolean isChange,
      @Nullable String host,
      @Nullable String origin,
      @Nullable String site,
      @Nullable String contentType) {
    if (host == null || !hosts.contains(host)) {
      return Optional.of("this page is only there as 127.0.0.1 or localhost");
    }
    if (origin != null && !origin.equals("http://" + host)) {
      return Optional.of("this request comes from another page");
    }
    if (!isChange) {
      return Optional.empty();
    }
    if (origin == null || (site != null && !site.equals("same-origin"))) {
      return Optional.of(
          "only the page itself may change something; for programs each node has HTTP");
    }
    if (contentType == null || !contentType.startsWith("application/json")) {
      return Optional.of("a change is asked for in JSON");
    }
    return Optional.empty();
  }
}
