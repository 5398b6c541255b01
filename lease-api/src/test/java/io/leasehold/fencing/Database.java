package io.leasehold.fencing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A database in memory, there until it is closed: a table of tokens, a log of what was written in
 * transactions, and an account of one row that keeps its token itself.
 */
record Database(String url, Connection keptOpen) implements AutoCloseable {

  static Database create() throws SQLException {
    String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";lock_timeout=10000";
    Database database = new Database(url, DriverManager.getConnection(url));
    try (Statement create = database.keptOpen.createStatement()) {
      create.execute(
          "create table fencing (lease varchar(512) primary key, fencing_token bigint not null)");
      create.execute(
          "create table written (number bigint auto_increment, token bigint, word varchar(100))");
      create.execute("create table account (word varchar(100), fencing_token bigint not null)");
      create.execute("insert into account values ('', 0)");
    }
    return database;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  static void append(Connection transaction, long token, String word) throws SQLException {
    try (PreparedStatement insert =
        transaction.prepareStatement("insert into written (token, word) values (?, ?)")) {
      insert.setLong(1, token);
      insert.setString(2, word);
      insert.execute();
    }
  }

  String lastWord() throws SQLException {
    try (Statement select = keptOpen.createStatement();
        ResultSet row =
            select.executeQuery("select word from written order by number desc limit 1")) {
      return row.next() ? row.getString(1) : "";
    }
  }

  /** Returns the tokens of what was written, in the order of writing. */
  List<Long> tokens() throws SQLException {
    List<Long> tokens = new ArrayList<>();
    try (Statement select = keptOpen.createStatement();
        ResultSet rows = select.executeQuery("select token from written order by number")) {
      while (rows.next()) {
        tokens.add(rows.getLong(1));
      }
    }
    return tokens;
  }

  /** Returns whether a transaction waits for a row that another one has locked. */
  boolean hasBlockedSession() throws SQLException {
    try (Statement select = keptOpen.createStatement();
        ResultSet row =
            select.executeQuery(
                "select count(*) from information_schema.sessions where blocker_id is not null")) {
      row.next();
      return row.getInt(1) > 0;
    }
  }

  @Override
  public void close() throws SQLException {
    keptOpen.close();
  }
}
