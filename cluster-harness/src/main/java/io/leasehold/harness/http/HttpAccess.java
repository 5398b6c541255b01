package io.leasehold.harness.http;

import io.leasehold.harness.HostPort;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who may call a node over HTTP. On loopback whoever is on the machine; but not the pages of others
 * in a browser there, which it would call for them. On another address whoever knows a token may
 * change something, and everybody who reaches it may look. Immutable.
 */
public final class HttpAccess {

  private static final String BEARER = "Bearer ";

  private final boolean loopback;
  private final Optional<String> token;

  private HttpAccess(boolean loopback, Optional<String> token) {
    this.loopback = loopback;
    this.token = token;
  }

  /**
   * Access to a node that listens there.
   *
   * @throws HttpStartException if that is not on loopback and there is no token
   */
  public static HttpAccess of(HostPort at, Optional<String> token) {
    boolean loopback = isLoopback(at.host());
    if (!loopback && token.isEmpty()) {
      throw new HttpStartException(
          "whoever reaches "
              + at
              + " could take leases away and the cluster apart: give --http a loopback address, or"
              + " a token that callers have to know with --http-token-file",
          null);
    }
    return new HttpAccess(loopback, token);
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Refuses a call that its caller may not make. */
  void require(HttpServerRequest request) {
    HostAndPort called = request.authority();
    if (loopback && (called == null || !isLocalName(called.host()))) {
      // A name that its owner has come to stand for this machine, in a page of his.
      throw Refusal.invalid(403, "Host", "this node is called by a loopback address only");
    }
    String origin = request.getHeader("Origin");
    if (origin != null && (called == null || !origin.equals("http://" + called))) {
      throw Refusal.invalid(403, "Origin", "pages of other servers may not call this node");
    }
    if (token.isPresent()
        && !request.method().equals(HttpMethod.GET)
        && !isToken(token.get(), request.getHeader("Authorization"))) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
      throw Refusal.invalid(
          401, "Authorization", "to change something here a token has to be known: --token-file");
    }
  }

  private static boolean isLocalName(String host) {
    return host.equals("localhost")
        || host.equals("[::1]")
        || host.matches("127(\\.[0-9]{1,3}){3}");
  }

  /** In a time that says nothing of how much of it is right. */
  private static boolean isToken(String token, @Nullable String given) {
    return given != null
        && given.startsWith(BEARER)
        && MessageDigest.isEqual(
            token.getBytes(StandardCharsets.UTF_8),
            given.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8));
  }
}
