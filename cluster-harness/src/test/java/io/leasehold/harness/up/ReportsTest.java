package io.leasehold.harness.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.up.Reports.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportsTest {

  @TempDir Path folder;

  @Test
  void reportsOfRunsAreListedTheNewestFirst() throws IOException {
    Path first = report(folder.resolve("monday"), 1_000);
    report(folder.resolve("tuesday"), 2_000);
    Files.createDirectories(folder.resolve("empty"));

    Reports reports = Reports.in(folder);

    assertThat(reports.list())
        .containsExactly(new Link("tuesday", 2_000), new Link("monday", 1_000));
    assertThat(reports.file("monday")).contains(first);
  }

  @Test
  void folderOfOneRunIsListedAlone() throws IOException {
    Path run = folder.resolve("run");
    Path file = report(run, 1_000);
    report(run.resolve("inside"), 2_000);

    assertThat(Reports.in(run).list()).containsExactly(new Link("run", 1_000));
    assertThat(Reports.in(run).file("run")).contains(file);
  }

  @Test
  void nothingElseIsGivenOut() throws IOException {
    Path outside = report(folder.resolve("outside"), 1_000);
    Path runs = Files.createDirectories(folder.resolve("runs"));
    Path link = Files.createDirectories(runs.resolve("link"));
    Files.createSymbolicLink(link.resolve("report.html"), outside);

    Reports reports = Reports.in(runs);

    assertThat(reports.list()).isEmpty();
    assertThat(reports.file("../outside")).isEmpty();
    assertThat(reports.file("link")).isEmpty();
    assertThat(Reports.in(folder.resolve("nowhere")).list()).isEmpty();
  }

  private static Path report(Path run, long atMillis) throws IOException {
    Files.createDirectories(run);
    Path file = Files.writeString(run.resolve("report.html"), "<!doctype html>");
    return Files.setLastModifiedTime(file, FileTime.fromMillis(atMillis));
  }
}
