package io.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is peculiar to a file. */
final class FencedFileTest {

  private static final byte[] DATA = {1, 2, 3};

  @TempDir private Path folder;
  private Path path = Path.of("");

  @BeforeEach
  void choosePath() {
    path = folder.resolve("report");
  }

  @Test
  void tokenOutlivesTheProcess() throws IOException {
    new FencedFile(path).write(5, DATA);

    FencedFile reopened = new FencedFile(path);

    assertThat(reopened.read()).hasValue(DATA);
    assertThatThrownBy(() -> reopened.write(4, new byte[0]))
        .isInstanceOf(StaleTokenException.class);
    assertThat(reopened.read()).hasValue(DATA);
  }

  @Test
  void unwrittenIsEmptyAndEmptyDataIsNot() throws IOException {
    FencedFile file = new FencedFile(path);
    assertThat(file.read()).isEmpty();

    file.write(1, new byte[0]);

    assertThat(file.read()).hasValue(new byte[0]);
  }

  @Test
  void remainsOfAWriterThatDiedAreOverwritten() throws IOException {
    FencedFile file = new FencedFile(path);
    file.write(1, DATA);
    Files.write(folder.resolve("report.new"), new byte[100]);

    file.write(1, new byte[] {9});

    assertThat(file.read()).hasValue(new byte[] {9});
    assertThat(folder.resolve("report.new")).doesNotExist();
  }

  @Test
  void isWrittenOnlyUnderTheLockBesideIt() throws IOException {
    FencedFile file = new FencedFile(path);
    try (FileChannel lock =
        FileChannel.open(
            folder.resolve("report.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      FileLock unusedHeld = lock.lock();

      assertThatThrownBy(() -> file.write(1, DATA))
          .isInstanceOf(OverlappingFileLockException.class);
      assertThat(file.read()).isEmpty();
    }

    file.write(1, DATA);
  }

  @Test
  void fileOfAnotherKindIsNotOverwritten() throws IOException {
    Files.write(path, DATA);

    assertThatThrownBy(() -> new FencedFile(path).write(1, DATA))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("report");
    assertThatThrownBy(() -> new FencedFile(path).read()).isInstanceOf(IOException.class);
    assertThat(path).hasBinaryContent(DATA);
  }

  @Test
  void objectsOfOnePathWaitForEachOther() {
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      FencedFile own = new FencedFile(path.resolveSibling(".").resolve(path.getFileName()));
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int token = 1; token <= 50; token++) {
                  try {
                    own.write(token, DATA);
                  } catch (StaleTokenException older) {
                    // Another writer is ahead.
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
              }));
    }

    writers.forEach(CompletableFuture::join);

    assertThatThrownBy(() -> new FencedFile(path).write(49, DATA))
        .isInstanceOf(StaleTokenException.class);
  }
}
