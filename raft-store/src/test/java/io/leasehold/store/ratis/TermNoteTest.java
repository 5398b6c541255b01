package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TermNoteTest {

  @TempDir Path root;

  @Test
  void whatWasNotedIsThereUntilItIsVoid() throws IOException {
    assertThat(TermNote.open(root).read()).isZero();

    TermNote.open(root).write(42);
    assertThat(TermNote.open(root).read()).isEqualTo(42);

    TermNote.open(root).write(0);
    assertThat(TermNote.open(root).read()).isZero();
  }

  /** Otherwise it could not be written on a full disk. */
  @Test
  void itNeverGrows() throws IOException {
    TermNote note = TermNote.open(root);
    long size = Files.size(root.resolve(TermNote.FILE));

    note.write(999_999_999_999_999_999L);

    assertThat(note.read()).isEqualTo(999_999_999_999_999_999L);
    assertThat(Files.size(root.resolve(TermNote.FILE))).isEqualTo(size);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "term=", "term=0000000000000000042", "term=9999999999999999999;", "nonsense"})
  void whatIsTornOrForeignSaysNothing(String written) throws IOException {
    Files.writeString(root.resolve(TermNote.FILE), written);

    assertThat(TermNote.open(root).read()).isZero();
  }
}
