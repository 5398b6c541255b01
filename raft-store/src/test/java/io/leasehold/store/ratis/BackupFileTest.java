package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.core.Change;
import io.leasehold.store.core.StoreState;
import io.leasehold.store.rocks.RocksLeaseTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup, its tokens above all, without a server. */
final class BackupFileTest {

  private static final Instant BACKUP = Instant.ofEpochSecond(1_700_000_000L);
  private static final long LAST_TOKEN = (BACKUP.getEpochSecond() + 1_000_000) << 20;

  @TempDir Path root;
  private RocksLeaseTable table;

  @BeforeEach
  void fill() {
    table = RocksLeaseTable.open(root.resolve("table"));
    // The clock was a million seconds ahead when the cluster granted first.
    table.write(List.of(new Change.PutState(new StoreState(7, LAST_TOKEN, 0, 0, 0))), 3, 12);
  }

  @AfterEach
  void close() {
    table.close();
  }

  private static Clock at(Instant instant) {
    return Clock.fixed(instant, ZoneOffset.UTC);
  }

  private long write(Path file) throws IOException {
    Path scratch = Files.createTempDirectory(root, "scratch").resolve("copy");
    return new BackupFile(file).write("old", table, scratch, at(BACKUP));
  }

  private StoreConfig config(String id) {
    return StoreConfig.of("new", id, Member.parseAll("n1=h:1,n2=h:2"), root.resolve(id));
  }

  private long floorOf(String id) {
    try (NodeFolder folder = NodeFolder.open(config(id))) {
      return folder.identity().origin().tokenFloor();
    }
  }

  @Test
  void newTokensAreAboveTheOldOnesHoweverTheClockWasWhenThoseBegan() throws IOException {
    Path file = root.resolve("leases.zip");
    assertThat(write(file)).isEqualTo(12);
    Duration later = Duration.ofHours(3);

    new BackupFile(file).restore(config("n1"), at(BACKUP.plus(later)));
    new BackupFile(file).restore(config("n2"), at(BACKUP));

    assertThat(floorOf("n1")).isGreaterThan(LAST_TOKEN + (later.toSeconds() << 20));
    assertThat(floorOf("n2")).as("by a clock that is behind").isGreaterThan(LAST_TOKEN);
  }

  @Test
  void backupFromTheFutureIsRefused() throws IOException {
    Path file = root.resolve("leases.zip");
    write(file);

    assertThatThrownBy(() -> new BackupFile(file).restore(config("n1"), at(BACKUP.minusSeconds(1))))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("this machine's clock is before the time");
  }

  @Test
  void backupThatLiesAboutItsTermIsRefused() throws IOException {
    Path file = root.resolve("leases.zip");
    write(file);
    try (FileSystem zip = FileSystems.newFileSystem(file)) {
      Path properties = zip.getPath("backup.properties");
      String text = Files.readString(properties, StandardCharsets.UTF_8);
      Files.writeString(properties, text.replace("term=3", "term=77"), StandardCharsets.UTF_8);
    }

    assertThatThrownBy(() -> new BackupFile(file).restore(config("n1"), at(BACKUP)))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("does not have the entry that it says");
  }

  @Test
  void ofManyThatWriteTheSameFileOneDoesAndItIsWhole() throws IOException {
    Path file = root.resolve("leases.zip");
    List<CompletableFuture<Long>> writing = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writing.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return write(file);
                } catch (IOException e) {
                  throw new CompletionException(e);
                }
              },
              task -> new Thread(task).start()));
    }

    long done =
        writing.stream()
            .filter(each -> each.handle((index, failure) -> failure == null).join())
            .count();

    assertThat(done).isEqualTo(1);
    new BackupFile(file).restore(config("n1"), at(BACKUP));
    assertThat(floorOf("n1")).isGreaterThan(LAST_TOKEN);
    try (Stream<Path> left = Files.list(root)) {
      assertThat(left.map(Path::toString)).noneMatch(name -> name.endsWith(".unfinished"));
    }
  }

  @Test
  void thereIsNoBackupOfNothing() throws IOException {
    Path file = root.resolve("leases.zip");
    try (RocksLeaseTable empty = RocksLeaseTable.open(root.resolve("empty"))) {
      Path scratch = root.resolve("scratch-of-nothing");
      assertThatThrownBy(() -> new BackupFile(file).write("old", empty, scratch, at(BACKUP)))
          .hasMessageContaining("has nothing of any cluster yet");
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void filesOfOthersAreLeftAlone() throws IOException {
    Path other = Files.writeString(root.resolve("leases.zip.new"), "somebody else's");

    write(root.resolve("leases.zip"));

    assertThat(other).hasContent("somebody else's");
  }
}
