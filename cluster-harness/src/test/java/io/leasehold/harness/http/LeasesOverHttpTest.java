package io.leasehold.harness.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.AcquireAnswer;
import io.leasehold.harness.wire.HandleView;
import io.leasehold.harness.wire.HolderView;
import io.leasehold.harness.wire.LeaseRow;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LeasesOverHttpTest {

  private static final Duration TTL = Duration.ofSeconds(3);
  private static final Duration NONE = Duration.ZERO;
  private static final Duration LONG = Duration.ofMinutes(1);

  private final HttpNodes nodes = new HttpNodes();
  private final NodeClient n1 = nodes.client("n1");
  private final NodeClient n2 = nodes.client("n2");

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void answersAreWrittenAsTheContractSays() {
    assertThat(post("/leases/printer/acquire", "{\"owner\":\"a\",\"ttl\":\"3s\"}"))
        .isEqualTo("200 {\"acquired\":true,\"fencingToken\":1}");
    assertThat(
            body(
                nodes.send(
                    "n2", "POST", "/leases/printer/acquire", "{\"owner\":\"b\",\"ttl\":\"3s\"}")))
        .isEqualTo("200 {\"acquired\":false,\"holder\":{\"owner\":\"a\",\"node\":\"n1\"}}");
    assertThat(get("/leases"))
        .isEqualTo(
            "200 [{\"name\":\"printer\",\"holder\":{\"owner\":\"a\",\"node\":\"n1\"},"
                + "\"fencingToken\":1,\"ttlMillis\":3000,\"remainingMillis\":3000,\"waiters\":0}]");
    assertThat(get("/leases/printer"))
        .isEqualTo(
            "200 {\"name\":\"printer\",\"holder\":{\"owner\":\"a\",\"node\":\"n1\"},"
                + "\"fencingToken\":1,\"ttlMillis\":3000,\"remainingMillis\":3000,\"waiters\":0}");
    assertThat(get("/leases/printer?owner=a"))
        .matches(
            "200 \\{\"name\":\"printer\",\"alive\":true,\"fencingToken\":1,"
                + "\"remainingMillis\":[0-9]+,\"holder\":\\{\"owner\":\"a\",\"node\":\"n1\"}}");
    assertThat(get("/leases/printer?owner=b"))
        .isEqualTo(
            "200 {\"name\":\"printer\",\"alive\":false,\"fencingToken\":null,"
                + "\"remainingMillis\":0,\"holder\":{\"owner\":\"a\",\"node\":\"n1\"}}");
    assertThat(post("/leases/printer/release", "{\"owner\":\"b\"}"))
        .isEqualTo("200 {\"released\":false}");
    assertThat(post("/leases/printer/release", "{\"owner\":\"a\"}"))
        .isEqualTo("200 {\"released\":true}");
    assertThat(post("/leases/printer/release", "{\"owner\":\"a\"}"))
        .isEqualTo("200 {\"released\":false}");
    assertThat(get("/leases/printer"))
        .isEqualTo(
            "200 {\"name\":\"printer\",\"holder\":null,\"fencingToken\":null,\"ttlMillis\":null,"
                + "\"remainingMillis\":null,\"waiters\":0}");
    assertThat(get("/leases")).isEqualTo("200 []");
  }

  @Test
  void namesAreDecodedSegments() {
    List<String> names =
        List.of(
            "a/b", "100%", "http://host:80/x?y#z", "größe 日本 🖨", "a+b", "..", "%2F", "acquire");

    for (String name : names) {
      assertThat(NodeClient.await(n1.acquire(name, "o+ö", TTL, NONE)).acquired()).isTrue();
    }

    assertThat(NodeClient.await(n2.list()).stream().map(LeaseRow::name))
        .containsExactlyInAnyOrderElementsOf(names);
    for (String name : names) {
      assertThat(NodeClient.await(n1.find(name, "o+ö")).alive()).as(name).isTrue();
      assertThat(NodeClient.await(n1.release(name, "o+ö")).released()).as(name).isTrue();
    }
  }

  @Test
  void secondAcquireOfTheHolderConfirmsItsHold() {
    AcquireAnswer first = NodeClient.await(n1.acquire("printer", "a", TTL, NONE));
    AcquireAnswer second =
        NodeClient.await(n1.acquire("printer", "a", Duration.ofSeconds(5), NONE));

    assertThat(second).isEqualTo(first);
  }

  @Test
  void laterAcquireUsesItsOwnTtl() {
    acquired(n1, "a");
    NodeClient.await(n1.release("printer", "a"));

    NodeClient.await(n1.acquire("printer", "a", Duration.ofSeconds(9), NONE));

    assertThat(NodeClient.await(n2.find("printer")).ttlMillis()).isEqualTo(9_000);
  }

  @Test
  void waiterIsHandedTheLease() {
    long first = acquired(n1, "a");
    CompletableFuture<AcquireAnswer> waiting = n2.acquire("printer", "b", TTL, LONG);
    awaitWaiters(1);

    NodeClient.await(n1.release("printer", "a"));

    assertThat(NodeClient.await(waiting).fencingToken()).isGreaterThan(first);
    assertThat(NodeClient.await(n2.find("printer", "b")).alive()).isTrue();
  }

  @Test
  void waiterGetsANoWhenItsTimeIsOver() {
    acquired(n1, "a");
    CompletableFuture<AcquireAnswer> waiting =
        n2.acquire("printer", "b", TTL, Duration.ofSeconds(10));
    awaitWaiters(1);

    nodes.time.advance(Duration.ofSeconds(10));

    assertThat(NodeClient.await(waiting).acquired()).isFalse();
    assertThat(NodeClient.await(n1.find("printer")).waiters()).isZero();
  }

  @Test
  void callerThatHangsUpLeavesTheQueue() {
    acquired(n1, "a");
    CompletableFuture<AcquireAnswer> waiting = n2.acquire("printer", "b", TTL, LONG);
    awaitWaiters(1);

    waiting.cancel(true);

    awaitWaiters(0);
    NodeClient.await(n1.release("printer", "a"));
    assertThat(NodeClient.await(n1.find("printer")).holder()).isNull();
  }

  @Test
  void grantThatNobodyHeardOfIsGivenBack() {
    nodes.cluster.disconnect("n2");
    CompletableFuture<AcquireAnswer> acquiring = n2.acquire("printer", "b", TTL, LONG);
    await("the acquire under way")
        .until(() -> nodes.send("n2", "GET", "/metrics", "").body().contains("http_handles 1.0"));

    acquiring.cancel(true);
    await("the hang-up").until(() -> cancelled("n2"));
    nodes.cluster.reconnect("n2");

    await("a free lease").until(() -> NodeClient.await(n1.find("printer")).holder() == null);
    assertThat(NodeClient.await(n2.find("printer", "b")).alive()).isFalse();
  }

  @Test
  void secondCallerKeepsTheQueuePlaceThatTheFirstGaveUp() {
    acquired(n1, "a");
    CompletableFuture<AcquireAnswer> first = n2.acquire("printer", "b", TTL, LONG);
    awaitWaiters(1);
    CompletableFuture<AcquireAnswer> second = n2.acquire("printer", "b", TTL, LONG);
    nodes.send("n2", "GET", "/status", "");

    first.cancel(true);
    await("the hang-up").until(() -> cancelled("n2"));
    NodeClient.await(n1.release("printer", "a"));

    assertThat(NodeClient.await(second).acquired()).isTrue();
    assertThat(NodeClient.await(n2.find("printer", "b")).alive()).isTrue();
  }

  @Test
  void hangUpDuringAConfirmingAcquireKeepsTheHold() {
    acquired(n2, "b");
    nodes.cluster.pause("n2");
    CompletableFuture<AcquireAnswer> confirming = n2.acquire("printer", "b", TTL, NONE);

    confirming.cancel(true);
    nodes.cluster.resume("n2");
    nodes.send("n2", "GET", "/status", "");

    assertThat(NodeClient.await(n2.find("printer", "b")).alive()).isTrue();
  }

  @Test
  void lostLeaseIsNotAliveAndNotReleased() {
    acquired(n1, "a");
    nodes.cluster.disconnect("n1");

    nodes.time.advance(TTL);

    HandleView view = NodeClient.await(n1.find("printer", "a"));
    assertThat(view.alive()).isFalse();
    assertThat(view.remainingMillis()).isZero();
    assertThat(view.fencingToken()).isNull();
    nodes.cluster.reconnect("n1");
    assertThat(NodeClient.await(n1.release("printer", "a")).released()).isFalse();
  }

  @Test
  void whoseHoldIsProvenIsToldWithoutTheStore() {
    acquired(n1, "a");
    nodes.cluster.disconnect("n1");

    HandleView view = NodeClient.await(n1.find("printer", "a"));

    assertThat(view.alive()).isTrue();
    assertThat(view.holder()).isEqualTo(new HolderView("a", "n1"));
  }

  @Test
  void revocationTakesWhicheverHoldThereIs() {
    long token = acquired(n1, "a");

    assertThat(body(nodes.send("n2", "DELETE", "/leases/printer?reason=for+a%20test", "")))
        .isEqualTo("200 {\"revoked\":true,\"fencingToken\":" + token + "}");

    assertThat(NodeClient.await(n1.find("printer", "a")).alive()).isFalse();
    assertThat(body(nodes.send("n2", "DELETE", "/leases/printer", "")))
        .isEqualTo("200 {\"revoked\":false}");
  }

  @Test
  void revocationOfAnotherTokenLeavesTheHoldAlone() {
    long token = acquired(n1, "a");

    assertThat(NodeClient.await(n2.revoke("printer", token + 1, "for a test", false)).revoked())
        .isFalse();
    assertThat(NodeClient.await(n1.find("printer", "a")).alive()).isTrue();
    assertThat(NodeClient.await(n2.revoke("printer", token, "for a test", true)).revoked())
        .isTrue();
    assertThat(NodeClient.await(n1.find("printer", "a")).alive()).isFalse();
  }

  @Test
  void nothingIsKeptOfNamesThatAreNotHeld() {
    for (int i = 0; i < 50; i++) {
      NodeClient.await(n1.acquire("lease-" + i, "a", TTL, NONE));
      NodeClient.await(n2.acquire("lease-" + i, "b", TTL, NONE));
      NodeClient.await(n1.release("lease-" + i, "a"));
    }
    acquired(n1, "lost");
    nodes.cluster.disconnect("n1");
    nodes.time.advance(TTL);

    await("handles dropped").until(() -> metrics("n1").contains("leasehold_http_handles 0.0"));
    assertThat(metrics("n2")).contains("leasehold_http_handles 0.0");
  }

  @Test
  void cutOffNodeAnswersUnavailableOrIndeterminate() {
    nodes.cluster.disconnect("n1");
    CompletableFuture<AcquireAnswer> acquiring = n1.acquire("printer", "a", TTL, NONE);
    await("the acquire under way")
        .until(() -> metrics("n1").contains("leasehold_http_handles 1.0"));

    nodes.time.advance(Duration.ofMinutes(1));

    assertThat(acquiring)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            NodeCallException.class,
            failure -> {
              assertThat(failure.status()).isEqualTo(503);
              assertThat(failure.error()).isIn("unavailable", "indeterminate");
            });
  }

  private static long acquired(NodeClient node, String owner) {
    AcquireAnswer answer = NodeClient.await(node.acquire("printer", owner, TTL, NONE));
    assertThat(answer.acquired()).isTrue();
    return requireNonNull(answer.fencingToken());
  }

  private void awaitWaiters(int count) {
    await(count + " in line").until(() -> NodeClient.await(n1.find("printer")).waiters() == count);
  }

  private boolean cancelled(String node) {
    return metrics(node).contains("leasehold_http_acquires_total{outcome=\"cancelled\"} 1.0");
  }

  private String metrics(String node) {
    return nodes.send(node, "GET", "/metrics", "").body();
  }

  private String post(String path, String body) {
    return body(nodes.send("n1", "POST", path, body));
  }

  private String get(String path) {
    return body(nodes.send("n1", "GET", path, ""));
  }

  private static String body(HttpResponse<String> response) {
    return response.statusCode() + " " + response.body();
  }
}
