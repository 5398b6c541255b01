package io.leasehold.harness.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report is one file that needs nothing else and holds what there is to see. */
class HtmlReportTest {

  private static final Pattern DATA =
      Pattern.compile(
          "<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);

  @TempDir Path folder;

  @Test
  void needsNothingFromElsewhere() throws Exception {
    String page = report(SimulatedRun.events(1, 20, 2));

    assertThat(page).doesNotContain("http://", "https://", "src=", "@import", "/*DATA*/");
  }

  @Test
  void holdsTheHoldsLossesFaultsAndViolations() throws Exception {
    List<HistoryEvent> events = SimulatedRun.events(1, 30, 2);
    HistoryEvent.Lost lost =
        (HistoryEvent.Lost)
            events.stream().filter(HistoryEvent.Lost.class::isInstance).findFirst().orElseThrow();
    events.add(HistoryEvent.Lost.of(lost.handle(), lost.at() + 1, lost.token(), lost.reason()));

    JsonNode data = data(report(events));

    assertThat(data.get("leases")).hasSize(2);
    assertThat(data.at("/leases/0/holds").size()).isPositive();
    assertThat(data.get("faults").size()).isPositive();
    assertThat(data.get("lives").size()).isPositive();
    assertThat(data.at("/violations/0/rule").asText()).isEqualTo("S6");
    assertThat(data.at("/violations/0/evidence").size()).isEqualTo(3);
    assertThat(data.at("/violations/0/around").size()).isPositive();
    assertThat(data.at("/series/latencies/0/p50").asLong()).isPositive();
  }

  @Test
  void namesCannotBreakOutOfTheData() throws Exception {
    Handle handle = new Handle("n1", 1, "</script><b>", "\"&<!--");
    List<HistoryEvent> events = new ArrayList<>();
    events.add(Invoke.acquire(1, 1, handle, 1_000, 0));
    events.add(Return.granted(2, 1, 7));

    JsonNode data = data(report(events));

    assertThat(data.at("/leases/0/name").asText()).isEqualTo("\"&<!--");
    assertThat(data.at("/leases/0/holds/0/handle").asText()).isEqualTo("n1#1/</script><b>");
  }

  private String report(List<HistoryEvent> events) throws IOException {
    Path file = folder.resolve("report.html");
    HistoryChecker.check(SimulatedRun.header(1), events).writeReport(file);
    return Files.readString(file);
  }

  private static JsonNode data(String page) throws IOException {
    Matcher matcher = DATA.matcher(page);
    assertThat(matcher.find()).isTrue();
    return JsonMapper.builder().build().readTree(matcher.group(1));
  }
}
