package io.leasehold.bench.load;

import static io.leasehold.bench.load.ResultTable.Column.number;
import static io.leasehold.bench.load.ResultTable.Column.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ResultTableTest {

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    ResultTable table = table();

    table.add("ours", 12_345.678);
    table.add("a longer name", 1);

    assertThat(table.toText())
        .isEqualTo(
            """
            ### Title

            | store         | cycles/s |
            | ---           |      --: |
            | ours          | 12,345.7 |
            | a longer name |      1.0 |
            """);
  }

  @Test
  void jsonHasEveryDigitAndTheWorkload() {
    ResultTable table = table();

    table.add("ours", 12_345.678);

    assertThat(table.toJsonLines())
        .containsExactly(
            "{\"workload\":\"cycles\",\"store\":\"ours\",\"cyclesPerSecond\":12345.678}");
  }

  @Test
  void aRowWithAnotherNumberOfCellsIsRefused() {
    assertThatThrownBy(() -> table().add("ours")).isInstanceOf(IllegalArgumentException.class);
  }

  private static ResultTable table() {
    return new ResultTable(
        "cycles", "Title", text("store", "store"), number("cyclesPerSecond", "cycles/s", 1));
  }
}
