package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.ratis.TermNote.Noted;
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
    assertThat(TermNote.open(root).read()).isEqualTo(Noted.NOTHING);

    TermNote.open(root).write(new Noted(42, true));
    assertThat(TermNote.open(root).read()).isEqualTo(new Noted(42, true));

    TermNote.open(root).write(Noted.NOTHING);
    assertThat(TermNote.open(root).read()).isEqualTo(Noted.NOTHING);
  }

  /** Otherwise it could not be written on a full disk. */
  @Test
  void itNeverGrows() throws IOException {
    TermNote note = TermNote.open(root);
    long size = Files.size(root.resolve(TermNote.FILE));

    note.write(new Noted(999_999_999_999_999_999L, false));

    assertThat(note.read()).isEqualTo(new Noted(999_999_999_999_999_999L, false));
    assertThat(Files.size(root.resolve(TermNote.FILE))).isEqualTo(size);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "late=", "late=0000000000000000042", "lost=9999999999999999999;", "nonsense"})
  void whatIsTornOrForeignSaysNothing(String written) throws IOException {
    Files.writeString(root.resolve(TermNote.FILE), written);

    assertThat(TermNote.open(root).read()).isEqualTo(Noted.NOTHING);
  }
}
