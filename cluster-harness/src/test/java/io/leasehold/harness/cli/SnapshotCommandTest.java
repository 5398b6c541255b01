package io.leasehold.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.http.HttpNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotCommandTest {

  private static final String MEMBERS = "--members=n1=127.0.0.1:7101,n2=127.0.0.1:7102";

  @TempDir Path folder;

  private final HttpNodes nodes = new HttpNodes();
  private final String http = "--http=" + nodes.address("n1");

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void snapshotSaysItsIndex() {
    Run run = Run.of("snapshot", http);

    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("The newest snapshot of n1 is at index 41.\n");
  }

  @Test
  void backupIsSavedIntoANewFile() throws IOException {
    Path file = folder.resolve("leases.zip");

    Run saved = Run.of("snapshot", "save", file.toString(), http);

    assertThat(saved.err()).isEmpty();
    assertThat(saved.code()).isZero();
    assertThat(saved.out()).startsWith("Saved what the node at ").endsWith(file + "\n");
    assertThat(file).hasContent("all that n1 holds");
    Run nowhere = Run.of("snapshot", "save", folder.resolve("none/leases.zip").toString(), http);
    assertThat(nowhere.err()).contains("there is no folder " + folder.resolve("none"));
    Run again = Run.of("snapshot", "save", file.toString(), http);
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).isEqualTo("leasehold snapshot save: " + file + " is there already\n");
  }

  @Test
  void backupThatCannotBeMadeLeavesNoFile() {
    nodes.unable.add("n1");
    Path file = folder.resolve("leases.zip");

    Run run = Run.of("snapshot", "save", file.toString(), http);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("the disk is full");
    assertThat(file).doesNotExist();
  }

  @Test
  void whatIsNoBackupIsNotRestored() throws IOException {
    Path file = Files.writeString(folder.resolve("leases.zip"), "all that n1 holds");
    String dir = "--dir=" + folder.resolve("n1");

    Run run =
        Run.of("snapshot", "restore", file.toString(), "--id=n1", MEMBERS, dir, "--cluster=new");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err().strip())
        .startsWith("leasehold snapshot restore: " + file + " cannot be restored into")
        .doesNotContain("\n");
  }

  @Test
  void snapshotAnswersInJsonOnRequest() {
    assertThat(Run.of("snapshot", http, "--json").out())
        .isEqualTo("{\"node\":\"n1\",\"index\":41}\n");
  }
}
