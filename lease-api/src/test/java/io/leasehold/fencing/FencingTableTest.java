package io.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is peculiar to transactions. */
final class FencingTableTest {

  private final FencingTable fencing = new FencingTable("fencing");
  private final Database database;

  FencingTableTest() throws SQLException {
    database = Database.create();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private Connection begin() throws SQLException {
    Connection transaction = database.connect();
    transaction.setAutoCommit(false);
    return transaction;
  }

  private void write(long token) throws SQLException {
    try (Connection transaction = begin()) {
      write(transaction, token);
    }
  }

  private void write(Connection transaction, long token) throws SQLException {
    try {
      fencing.admit(transaction, "printer", token);
      Database.append(transaction, token, "write");
      transaction.commit();
    } catch (StaleTokenException refused) {
      transaction.rollback();
      throw refused;
    }
  }

  @Test
  void olderTransactionWaitsForTheNewerOneAndIsRefused() throws Exception {
    write(1);
    try (Connection newer = begin()) {
      fencing.admit(newer, "printer", 2);
      CompletableFuture<Void> older =
          CompletableFuture.runAsync(
              () -> {
                try {
                  write(1);
                } catch (SQLException failed) {
                  throw new IllegalStateException(failed);
                }
              });
      await("the older one waits for the row").until(database::hasBlockedSession);
      assertThat(older).isNotDone();

      Database.append(newer, 2, "newer");
      newer.commit();

      assertThat(older.orTimeout(10, TimeUnit.SECONDS).handle((done, failure) -> failure).join())
          .hasRootCauseInstanceOf(StaleTokenException.class);
    }
    assertThat(database.tokens()).containsExactly(1L, 2L);
  }

  @Test
  void tokenOfATransactionThatWasRolledBackIsForgotten() throws SQLException {
    write(1);
    try (Connection transaction = begin()) {
      fencing.admit(transaction, "printer", 9);
      transaction.rollback();
    }

    write(2);

    assertThat(database.tokens()).containsExactly(1L, 2L);
  }

  @Test
  void leasesAreFencedApart() throws SQLException {
    write(9);
    try (Connection transaction = begin()) {
      fencing.admit(transaction, "scanner", 1);
      transaction.commit();
    }

    assertThatThrownBy(() -> write(8)).isInstanceOf(StaleTokenException.class);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void committedTokensNeverFallHoweverManyConnectionsCome(long seed) throws SQLException {
    write(1);
    SplittableRandom random = new SplittableRandom(seed);
    AtomicLong granted = new AtomicLong(1);
    List<CompletableFuture<Void>> holders = new ArrayList<>();
    for (int holder = 0; holder < 4; holder++) {
      SplittableRandom own = random.split();
      holders.add(CompletableFuture.runAsync(() -> writeMany(own, granted)));
    }

    holders.forEach(holder -> holder.orTimeout(10, TimeUnit.SECONDS).join());

    assertThat(database.tokens()).as("seed %d", seed).hasSizeGreaterThan(1).isSorted();
  }

  private void writeMany(SplittableRandom random, AtomicLong granted) {
    long token = granted.incrementAndGet();
    try (Connection connection = begin()) {
      for (int i = 0; i < 40; i++) {
        token = random.nextInt(5) == 0 ? granted.incrementAndGet() : token;
        try {
          write(connection, token);
        } catch (StaleTokenException stale) {
          assertThat(stale.refused()).isLessThan(stale.seen());
        }
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Test
  void connectionThatCommitsByItselfIsRefused() throws SQLException {
    try (Connection connection = database.connect()) {
      assertThatThrownBy(() -> fencing.admit(connection, "printer", 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("auto-commit");
    }
  }

  @Test
  void tableHasAName() {
    FencingTable unusedQualified = new FencingTable("shop.fencing");

    assertThatThrownBy(() -> new FencingTable("fencing; drop table account"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("drop");
  }
}
