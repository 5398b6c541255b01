package io.leasehold.raft;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.raft.meters.NodeMeter;
import io.leasehold.raft.meters.NodeMeters;
import io.leasehold.store.core.Limits;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of meters says what a node exports, and nothing else. */
final class MetersDocumentTest {

  private static final Path DOCUMENT = Path.of("docs", "METERS.md");

  /** Those of the harness are compared there. */
  private static final String HARNESS = "leasehold.http.";

  private final MeterRegistry registry = new SimpleMeterRegistry();

  /**
   * A line of the table.
   *
   * @param tags beside those of all, in their order
   */
  private record Row(String name, String kind, String unit, List<String> tags, String tells) {

    static Row of(String line) {
      String[] cells = line.split(" *\\| *");
      return new Row(
          cells[1].replace("`", ""),
          cells[2],
          cells[3].replace("-", ""),
          tags(cells[4].replace("-", "")),
          cells[5]);
    }

    static Row of(NodeMeter meter) {
      return new Row(
          meter.meterName(),
          meter.kind().name().toLowerCase(Locale.ROOT),
          meter.unit(),
          tags(meter.tags()),
          meter.description());
    }

    private static List<String> tags(String text) {
      return Arrays.stream(text.split(", ")).filter(tag -> !tag.isEmpty()).sorted().toList();
    }

    static Row of(Meter meter) {
      Meter.Id id = meter.getId();
      String kind =
          switch (id.getType()) {
            case TIMER -> "timer";
            case DISTRIBUTION_SUMMARY -> "summary";
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
            case LONG_TASK_TIMER, OTHER -> id.getType().name();
          };
      return new Row(
          id.getName(),
          kind,
          kind.equals("timer") ? "seconds" : Optional.ofNullable(id.getBaseUnit()).orElse(""),
          id.getTags().stream()
              .map(Tag::getKey)
              .filter(key -> !List.of("cluster", "node").contains(key))
              .sorted()
              .toList(),
          String.valueOf(id.getDescription()));
    }
  }

  private static List<Row> documented() throws IOException {
    try (Stream<String> lines = Files.lines(DOCUMENT)) {
      return lines
          .filter(line -> line.startsWith("| `leasehold.") && !line.contains(HARNESS))
          .map(Row::of)
          .toList();
    }
  }

  @Test
  void hasEveryMeterThatIsDeclaredInItsOrder() throws IOException {
    assertThat(documented())
        .containsExactlyElementsOf(Arrays.stream(NodeMeter.values()).map(Row::of).toList());
  }

  @Test
  void hasWhatANodeExports() throws IOException {
    new Stage(
        Limits.DEFAULT, store -> NodeMeters.open(registry, "shop", store, () -> 0, false).holder());

    Set<Row> exported = registry.getMeters().stream().map(Row::of).collect(toSet());
    assertThat(exported).containsExactlyInAnyOrderElementsOf(documented());
    assertThat(registry.getMeters())
        .allSatisfy(
            meter -> {
              assertThat(meter.getId().getTag("cluster")).isEqualTo("shop");
              assertThat(meter.getId().getTag("node")).isEqualTo("n1");
            });
  }
}
