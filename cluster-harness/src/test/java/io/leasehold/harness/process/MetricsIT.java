package io.leasehold.harness.process;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.HealthView;
import io.leasehold.harness.wire.StatusView;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What three running nodes export is what the document, the dashboard and the alerts name. */
final class MetricsIT {

  private static final Path DOCS = Path.of("..", "lease-raft", "docs");
  private static final Duration TTL = Duration.ofSeconds(10);

  /** Longer than a member is silent before the others say so. */
  private static final Duration SILENCE = Duration.ofSeconds(40);

  @TempDir static Path folder;
  private static @Nullable LocalCluster started;

  private final LocalCluster cluster = requireNonNull(started);
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start() {
    started = LocalCluster.start(folder, 3);
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
  }

  private String metrics(String node) throws IOException, InterruptedException {
    URI uri = URI.create(cluster.client(node).at().uri() + "/metrics");
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  /** The families that are exported, with their types; a summary's greatest is part of it. */
  private static Map<String, String> families(String metrics) {
    Map<String, String> types = new TreeMap<>();
    found("(?m)^# TYPE (\\S+) (\\S+)$", metrics)
        .forEach(line -> types.put(line.group(1), line.group(2)));
    List<String> summaries =
        types.keySet().stream().filter(name -> "summary".equals(types.get(name))).toList();
    summaries.forEach(name -> types.remove(name + "_max"));
    return types;
  }

  /** The same as the document has it. */
  private static Map<String, String> documented() throws IOException {
    PrometheusNamingConvention naming = new PrometheusNamingConvention();
    return found(
            "(?m)^\\| `(leasehold\\.[^`]+)` \\| (\\w+) \\| ([\\w-]+) \\|",
            Files.readString(DOCS.resolve("METERS.md")))
        .stream()
        .collect(
            toMap(
                row -> {
                  String unit = row.group(3).equals("-") ? null : row.group(3);
                  String name = naming.name(row.group(1), type(row.group(2)), unit);
                  boolean counter = row.group(2).equals("counter") && !name.endsWith("_total");
                  return counter ? name + "_total" : name;
                },
                row -> row.group(2).equals("timer") ? "summary" : row.group(2)));
  }

  private static Meter.Type type(String kind) {
    return switch (kind) {
      case "timer" -> Meter.Type.TIMER;
      case "summary" -> Meter.Type.DISTRIBUTION_SUMMARY;
      case "counter" -> Meter.Type.COUNTER;
      default -> Meter.Type.GAUGE;
    };
  }

  private static List<MatchResult> found(String regex, String text) {
    return Pattern.compile(regex).matcher(text).results().toList();
  }

  @Test
  void documentHasWhatNodesExport() throws IOException, InterruptedException {
    for (String node : cluster.ids()) {
      Map<String, String> exported = families(metrics(node));
      exported.keySet().removeIf(name -> !name.startsWith("leasehold_"));

      assertThat(exported).isEqualTo(documented());
    }
  }

  @Test
  void dashboardAndAlertsAskForWhatNodesExport() throws IOException, InterruptedException {
    NodeClient.await(cluster.client("n1").acquire("printer", "a", TTL, Duration.ZERO, false));
    String exported = "";
    for (String node : cluster.ids()) {
      exported += metrics(node);
    }
    Set<String> series = new TreeSet<>();
    found("(?m)^([a-z]\\w*)[{ ]", exported).forEach(line -> series.add(line.group(1)));

    Set<String> asked =
        new TreeSet<>(named(Files.readString(DOCS.resolve("prometheus-alerts.yml"))));
    for (String expression : expressions()) {
      asked.addAll(named(expression));
    }

    assertThat(asked).hasSizeGreaterThan(30);
    assertThat(series).containsAll(asked);
  }

  /** Metrics in an expression, or in a text that has some. */
  private static Set<String> named(String text) {
    Set<String> names = new TreeSet<>();
    found("\\b((?:leasehold|ratis|jvm|process|system)_\\w+)", text)
        .forEach(name -> names.add(name.group(1)));
    return names;
  }

  private static List<String> expressions() throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(DOCS.resolve("grafana-dashboard.json").toFile());
    List<String> expressions = dashboard.findValuesAsText("expr");
    expressions.addAll(dashboard.findValuesAsText("definition"));
    assertThat(expressions).hasSizeGreaterThan(20);
    return expressions;
  }

  @Test
  void everyAlertSaysWhatItMeansAndWhatToDo() throws IOException {
    String alerts = Files.readString(DOCS.resolve("prometheus-alerts.yml"));
    int rules = found("(?m)^      - alert: Leasehold\\w+$", alerts).size();

    assertThat(rules).isGreaterThanOrEqualTo(5);
    for (String part :
        List.of(
            "expr: .", "  severity: (?:warning|critical)", "  summary: \"", "  remedy: \".{60}")) {
      assertThat(found("(?m)^        " + part, alerts)).as(part).hasSize(rules);
    }
  }

  @Test
  void membersThatServeSayWhoIsSilent() {
    String leader = cluster.leader();
    String silent = leader.equals("n3") ? "n2" : "n3";
    List<String> others = cluster.ids().stream().filter(id -> !id.equals(silent)).toList();

    cluster.process(silent).pause();
    try {
      for (String node : others) {
        HealthView health = awaitState(node, "DEGRADED");
        assertThat(health.healthy()).isTrue();
        assertThat(health.warning()).startsWith("member " + silent + " has not answered for ");
        assertThat(NodeClient.await(cluster.client(node).status()).members())
            .filteredOn(member -> member.warning() != null)
            .extracting(StatusView.MemberView::id)
            .containsExactly(silent);
      }
    } finally {
      cluster.process(silent).resume();
    }

    others.forEach(node -> awaitState(node, "READY"));
  }

  private HealthView awaitState(String node, String state) {
    return await(node + " is " + state)
        .atMost(SILENCE)
        .ignoreExceptionsInstanceOf(NodeCallException.class) // where another one leads meanwhile
        .until(
            () -> NodeClient.await(cluster.client(node).health()),
            health -> health.state().equals(state));
  }
}
