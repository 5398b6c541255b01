package io.leasehold.harness.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.leasehold.harness.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code up} and its server, without a browser. */
final class UpIT {

  @TempDir Path temporary;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void folderIsUsedAgainAndANodeCanBeCutOff() throws Exception {
    Path folder = temporary.resolve("kept");
    String token;
    List<Long> nodes;
    try (UpProcess up = UpProcess.start(temporary, "--http=0", "--dir=" + folder)) {
      nodes = up.nodes();
      token = granted(post(up, "acquire", acquire("n1")));
      assertThat(post(up, "nodes/n1/cut", "{}").body()).contains("n1 is cut off");
      awaitState(
          up,
          state -> state.path("leases").isArray() && state.path("leases").isEmpty(),
          "the expiry of what n1 held");
      assertThat(granted(post(up, "acquire", acquire("n2")))).isGreaterThan(token);
      assertThat(post(up, "nodes/n1/heal", "{}").statusCode()).isEqualTo(200);
      awaitState(
          up,
          state ->
              Stream.of(0, 1, 2).allMatch(n -> state.at("/nodes/" + n + "/isHealthy").asBoolean()),
          "health after the cut");
      token = granted(post(up, "acquire", acquire("n1").replace("printer", "other")));
      up.terminate();
    }
    assertThat(nodes).hasSize(3).allMatch(UpProcess::isGone);

    try (UpProcess up = UpProcess.start(temporary, "--http=0", "--dir=" + folder)) {
      assertThat(up.nodes()).as("as many as before").hasSize(3);
      assertThat(granted(post(up, "acquire", acquire("n3").replace("printer", "third"))))
          .isGreaterThan(token);
      up.terminate();
    }
    assertThat(temporary).isDirectoryNotContaining(file -> !file.equals(folder));
  }

  @Test
  void strangersAreRefusedAndNothingStaysBehind() throws Exception {
    List<Long> nodes;
    try (UpProcess up = UpProcess.start(temporary, "--http=0", "--nodes=1")) {
      nodes = up.nodes();
      URI kill = URI.create(up.url() + "nodes/n1/kill");
      HttpRequest.Builder request =
          HttpRequest.newBuilder(kill).POST(BodyPublishers.ofString("{}"));
      assertThat(http.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(403);
      request
          .setHeader("Content-Type", "application/json")
          .setHeader("Origin", "http://evil.example");
      assertThat(http.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(403);
      assertThat(post(up, "nodes/n9/kill", "{}").statusCode()).isEqualTo(404);
      assertThat(post(up, "nodes/n1/melt", "{}").statusCode()).isEqualTo(404);
      assertThat(post(up, "acquire", "{\"node\":\"n1\"}").body()).contains("name is missing");
      assertThat(post(up, "acquire", acquire("n1").replace("2s", "1ms")).statusCode())
          .isEqualTo(400);
      HttpResponse<String> page = get(up, "");
      assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
          .startsWith("default-src 'none'; script-src 'self'");
      assertThat(page.body()).doesNotContain("http:", "https:", "<style", "onclick");
      assertThat(nodes).noneMatch(UpProcess::isGone);
      assertThat(post(up, "nodes/n1/pause", "{}").body()).contains("n1 stands still");
      assertThat(post(up, "acquire", acquire("n1")).body()).contains("resume it first");

      up.kill();
    }

    await("the end of its node").until(() -> nodes.stream().allMatch(UpProcess::isGone));
  }

  @Test
  void reportsRunApartFromThePage() throws Exception {
    Path run = Files.createDirectories(temporary.resolve("runs/monday"));
    Files.writeString(run.resolve("report.html"), "<!doctype html><title>run</title>");
    try (UpProcess up =
        UpProcess.start(
            temporary, "--http=0", "--nodes=1", "--reports=" + temporary.resolve("runs"))) {
      assertThat(get(up, "reports").body()).startsWith("[{\"name\":\"monday\",");
      HttpResponse<String> report = get(up, "reports/monday");
      assertThat(report.body()).isEqualTo("<!doctype html><title>run</title>");
      assertThat(report.headers().allValues("Content-Security-Policy"))
          .singleElement()
          .asString()
          .startsWith("sandbox allow-scripts;");
      assertThat(get(up, "reports/%2e%2e").statusCode()).isEqualTo(404);
      up.terminate();
    }
  }

  private HttpResponse<String> get(UpProcess up, String path)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(up.url() + path)).build(), BodyHandlers.ofString());
  }

  private static String acquire(String node) {
    return """
        {"node":"%s","name":"printer","owner":"a","ttl":"2s","wait":"0s"}"""
        .formatted(node);
  }

  private static String granted(HttpResponse<String> response) {
    assertThat(response.body()).contains("token ");
    return response.body().replaceAll(".*token (\\d+).*", "$1");
  }

  private HttpResponse<String> post(UpProcess up, String path, String body)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(up.url() + path))
            .header("Content-Type", "application/json")
            .header("Origin", up.url().substring(0, up.url().length() - 1))
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private interface Fact {
    boolean isSeenIn(JsonNode state);
  }

  /** Reads the page's stream until a state shows a fact. */
  private void awaitState(UpProcess up, Fact fact, String what) throws Exception {
    HttpResponse<Stream<String>> stream =
        http.send(
            HttpRequest.newBuilder(URI.create(up.url() + "stream")).build(),
            BodyHandlers.ofLines());
    try (Stream<String> lines = stream.body()) {
      long limit = System.nanoTime() + 30_000_000_000L;
      boolean isState = false;
      for (Iterator<String> each = lines.iterator(); each.hasNext(); ) {
        String line = each.next();
        if (isState
            && fact.isSeenIn(Wire.read(line.substring("data: ".length()), JsonNode.class))) {
          return;
        }
        isState = line.equals("event: state");
        assertThat(System.nanoTime()).as(what).isLessThan(limit);
      }
    }
    throw new AssertionError("the stream has ended before " + what);
  }
}
