package io.leasehold.fencing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** One resource of each kind. */
final class FencedResources {

  private FencedResources() {}

  static List<FencedResource> all(Path folder) throws SQLException {
    return List.of(
        new Memory(new FencingGate(), new AtomicReference<>("")),
        new OneFile(new FencedFile(folder.resolve("printer"))),
        new Transactions(Database.create()),
        new OneRow(Database.create()));
  }

  private record Memory(FencingGate gate, AtomicReference<String> last) implements FencedResource {

    @Override
    public void write(long token, String word) {
      gate.admit(token, () -> last.set(word));
    }

    @Override
    public String read() {
      return requireNonNull(last.get());
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
      return "memory";
    }
  }

  private record OneFile(FencedFile file) implements FencedResource {

    @Override
    public void write(long token, String word) throws IOException {
      file.write(token, word.getBytes(UTF_8));
    }

    @Override
    public String read() throws IOException {
      return file.read().map(data -> new String(data, UTF_8)).orElse("");
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
      return "a file";
    }
  }

  /** As the package's documentation has it. */
  private record Transactions(Database database) implements FencedResource {

    private static final FencingTable FENCING = new FencingTable("fencing");

    @Override
    public void write(long token, String word) throws SQLException {
      try (Connection connection = database.connect()) {
        connection.setAutoCommit(false);
        try {
          FENCING.admit(connection, "printer", token);
          Database.append(connection, token, word);
          connection.commit();
        } catch (StaleTokenException | SQLException refused) {
          connection.rollback();
          throw refused;
        }
      }
    }

    @Override
    public String read() throws SQLException {
      return database.lastWord();
    }

    @Override
    public void close() throws SQLException {
      database.close();
    }

    @Override
    public String toString() {
      return "transactions";
    }
  }

  /** The row keeps the token itself, and one statement does it all. */
  private record OneRow(Database database) implements FencedResource {

    @Override
    public void write(long token, String word) throws SQLException {
      try (Connection connection = database.connect();
          PreparedStatement update =
              connection.prepareStatement(
                  "update account set word = ?, fencing_token = ? where fencing_token <= ?")) {
        update.setString(1, word);
        update.setLong(2, token);
        update.setLong(3, token);
        if (update.executeUpdate() == 0) {
          throw new StaleTokenException(token, seen(connection));
        }
      }
    }

    private static long seen(Connection connection) throws SQLException {
      try (Statement select = connection.createStatement();
          ResultSet row = select.executeQuery("select fencing_token from account")) {
        row.next();
        return row.getLong(1);
      }
    }

    @Override
    public String read() throws SQLException {
      try (Connection connection = database.connect();
          Statement select = connection.createStatement();
          ResultSet row = select.executeQuery("select word from account")) {
        row.next();
        return row.getString(1);
      }
    }

    @Override
    public void close() throws SQLException {
      database.close();
    }

    @Override
    public String toString() {
      return "one row";
    }
  }
}
