package io.leasehold.harness.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import io.leasehold.harness.HostPort;
import io.leasehold.harness.wire.Wire;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever comes in, the answer is a refusal in the form of the contract. */
final class RefusedRequestsTest {

  private static final HttpNodes NODES = new HttpNodes();
  private static final String ACQUIRE = "/leases/printer/acquire";
  private static final String GOOD = "{\"owner\":\"a\",\"ttl\":\"3s\"}";

  @AfterAll
  static void close() {
    NODES.close();
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        row("a transfer to nobody", "POST", "/transfer", "{}", 400, "to"),
        row("a transfer to a stranger", "POST", "/transfer", "{\"to\":\"n9\"}", 400, "to"),
        row("a transfer of something", "POST", "/transfer", "{\"to\":\"n1\",\"x\":1}", 400, "x"),
        row("a snapshot with a query", "POST", "/snapshot?x=1", "", 400, "x"),
        row("no body", "POST", ACQUIRE, "", 400, "body"),
        row("no JSON", "POST", ACQUIRE, "garbage", 400, "body"),
        row("half a JSON", "POST", ACQUIRE, "{\"owner\":", 400, "body"),
        row("two JSONs", "POST", ACQUIRE, GOOD + GOOD, 400, "body"),
        row("an array", "POST", ACQUIRE, "[1]", 400, "body"),
        row("null", "POST", ACQUIRE, "null", 400, "body"),
        row("deep nesting", "POST", ACQUIRE, "[".repeat(10_000), 400, "body"),
        row("a field twice", "POST", ACQUIRE, "{\"owner\":\"a\",\"owner\":\"b\"}", 400, "body"),
        row("no owner", "POST", ACQUIRE, "{\"ttl\":\"3s\"}", 400, "owner"),
        row("no ttl", "POST", ACQUIRE, "{\"owner\":\"a\"}", 400, "ttl"),
        row("a number for the owner", "POST", ACQUIRE, with("owner", "7"), 400, "owner"),
        row("null for the owner", "POST", ACQUIRE, with("owner", "null"), 400, "owner"),
        row("a blank owner", "POST", ACQUIRE, with("owner", "\" \""), 400, "owner"),
        row("a control character", "POST", ACQUIRE, with("owner", "\"a\\u0000\""), 400, "owner"),
        row("a lone surrogate", "POST", ACQUIRE, with("owner", "\"\\ud800\""), 400, "owner"),
        row(
            "a long owner",
            "POST",
            ACQUIRE,
            with("owner", "\"" + "a".repeat(257) + "\""),
            400,
            "owner"),
        row("a ttl without unit", "POST", ACQUIRE, with("ttl", "\"3\""), 400, "ttl"),
        row("a number for the ttl", "POST", ACQUIRE, with("ttl", "3"), 400, "ttl"),
        row("a negative ttl", "POST", ACQUIRE, with("ttl", "\"-3s\""), 400, "ttl"),
        row("a ttl of nothing", "POST", ACQUIRE, with("ttl", "\"0s\""), 400, "ttl"),
        row("a short ttl", "POST", ACQUIRE, with("ttl", "\"99ms\""), 400, "ttl"),
        row("a long ttl", "POST", ACQUIRE, with("ttl", "\"25h\""), 400, "ttl"),
        row("a huge ttl", "POST", ACQUIRE, with("ttl", "\"999999999999h\""), 400, "ttl"),
        row(
            "a ttl beyond long",
            "POST",
            ACQUIRE,
            with("ttl", "\"99999999999999999999s\""),
            400,
            "ttl"),
        row("a bad wait", "POST", ACQUIRE, with("wait", "\"soon\""), 400, "wait"),
        row("a long wait", "POST", ACQUIRE, with("wait", "\"25h\""), 400, "wait"),
        row("a text for reclaim", "POST", ACQUIRE, with("reclaim", "\"true\""), 400, "reclaim"),
        row("an unknown field", "POST", ACQUIRE, with("wiat", "\"1s\""), 400, "wiat"),
        row("a blank name", "POST", "/leases/%20/acquire", GOOD, 400, "name"),
        row("an empty name", "POST", "/leases//acquire", GOOD, 400, "name"),
        row("a NUL in the name", "POST", "/leases/a%00b/acquire", GOOD, 400, "name"),
        row("a long name", "POST", "/leases/" + "a".repeat(513) + "/acquire", GOOD, 400, "name"),
        row("a name that is not UTF-8", "GET", "/leases/%ff", "", 400, "path"),
        row("release without owner", "POST", "/leases/printer/release", "{}", 400, "owner"),
        row("release with a ttl", "POST", "/leases/printer/release", GOOD, 400, "ttl"),
        row("a blank owner asked for", "GET", "/leases/printer?owner=", "", 400, "owner"),
        row("two owners asked for", "GET", "/leases/printer?owner=a&owner=b", "", 400, "owner"),
        row("an unknown query", "GET", "/leases/printer?ownr=a", "", 400, "ownr"),
        row("a query where there is none", "GET", "/leases?x=1", "", 400, "x"),
        row("a token that is none", "DELETE", "/leases/printer?token=x", "", 400, "token"),
        row("token 0", "DELETE", "/leases/printer?token=0", "", 400, "token"),
        row(
            "a huge token",
            "DELETE",
            "/leases/printer?token=99999999999999999999",
            "",
            400,
            "token"),
        row("a bad flag", "DELETE", "/leases/printer?unsafe=yes", "", 400, "unsafe"),
        row(
            "a long reason",
            "DELETE",
            "/leases/printer?reason=" + "a".repeat(1001),
            "",
            400,
            "reason"),
        row("no such path", "GET", "/", "", 404, "path"),
        row("no such resource", "GET", "/lease", "", 404, "path"),
        row("a raw slash in a name", "POST", "/leases/a/b/acquire", GOOD, 404, "path"),
        row("no such verb", "POST", "/leases/printer/renew", GOOD, 404, "path"),
        row("get an acquire", "GET", ACQUIRE, "", 405, "method"),
        row("put a lease", "PUT", "/leases/printer", GOOD, 405, "method"),
        row("post to the list", "POST", "/leases", GOOD, 405, "method"),
        row("delete the status", "DELETE", "/status", "", 405, "method"),
        row("a huge body", "POST", ACQUIRE, " ".repeat(16 * 1024) + GOOD, 413, "body"),
        row("a very huge body", "POST", ACQUIRE, " ".repeat(4_000_000), 413, "body"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void isRefused(String method, String path, String body, int status, String field)
      throws IOException {
    HttpResponse<String> response = NODES.send("n1", method, path, body);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValue("application/json; charset=utf-8");
    JsonNode error = Wire.tree(response.body().getBytes(StandardCharsets.UTF_8));
    assertThat(error.path("error").asText()).isEqualTo("invalid");
    assertThat(error.path("field").asText()).isEqualTo(field);
    assertThat(error.path("message").asText()).isNotBlank().doesNotContain("\n", "Exception");
  }

  @Test
  void wrongMethodIsToldTheRightOnes() {
    HttpResponse<String> response = NODES.send("n1", "PUT", "/leases/printer", GOOD);

    assertThat(response.headers().firstValue("Allow")).hasValue("DELETE, GET");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense\r\n\r\n",
        "GET /leases/%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "GET /leases/% HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "POST /leases/x/acquire HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
      })
  void whatNoClientSendsIsRefusedToo(String request) throws IOException {
    assertThat(raw(request)).startsWith("HTTP/1.").contains(" 400 ").doesNotContain("Exception");
  }

  @Test
  void headBeyondAllLimitsIsRefused() throws IOException {
    assertThat(raw("GET /leases/" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
        .contains(" 400 ", "\"error\":\"invalid\"");
  }

  @Test
  void unencodedBytesOfANameAreTakenAsUtf8() throws IOException {
    String request = "GET /leases/größe HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

    assertThat(raw(request)).contains("\"name\":\"größe\"");
  }

  private static String raw(String request) throws IOException {
    HostPort at = NODES.address("n1");
    try (Socket socket = new Socket(at.host(), at.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Arguments row(
      String what, String method, String path, String body, int status, String field) {
    return argumentSet(what, method, path, body, status, field);
  }

  private static String with(String field, String value) {
    return switch (field) {
      case "owner" -> "{\"owner\":" + value + ",\"ttl\":\"3s\"}";
      case "ttl" -> "{\"owner\":\"a\",\"ttl\":" + value + "}";
      default -> "{\"owner\":\"a\",\"ttl\":\"3s\",\"" + field + "\":" + value + "}";
    };
  }
}
