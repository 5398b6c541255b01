package io.leasehold.fencing;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A table with the greatest fencing token of each lease, which fences whole transactions of the
 * same database:
 *
 * <pre>{@code
 * create table fencing (lease varchar(512) primary key, fencing_token bigint not null)
 * }</pre>
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * fencing.admit(connection, "printer", token); // first of all
 * … // writes
 * connection.commit();
 * }</pre>
 *
 * <p>{@link #admit} is one conditional update, {@code … where fencing_token <= ?}, whose row the
 * database keeps locked until the transaction ends: a transaction with a smaller token that comes
 * meanwhile waits, and is refused if this one commits. It needs a database that locks rows that are
 * updated, at any isolation level from read committed on. Immutable.
 */
public final class FencingTable {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)*");

  private final String update;
  private final String select;
  private final String insert;

  /**
   * @param table the table's name, which may be qualified by that of its schema
   * @throws IllegalArgumentException when that is not a name of letters, digits and underscores
   */
  public FencingTable(String table) {
    if (!NAME.matcher(requireNonNull(table, "table")).matches()) {
      throw new IllegalArgumentException("not the name of a table: " + table);
    }
    update = "update " + table + " set fencing_token = ? where lease = ? and fencing_token <= ?";
    select = "select fencing_token from " + table + " where lease = ?";
    insert = "insert into " + table + " (fencing_token, lease) values (?, ?)";
  }

  /**
   * Lets a transaction go on unless one with a greater token has been here. Call it before anything
   * else in the transaction.
   *
   * @param lease the name of the lease that the token is of
   * @throws StaleTokenException when a greater token has been here; roll the transaction back
   * @throws IllegalArgumentException when the token is not positive
   * @throws IllegalStateException when the connection commits by itself, and so would not keep the
   *     writes that follow together with this one
   * @throws SQLException when the database fails; also when two transactions are the lease's first
   *     ones at the same time, of which one may be tried again
   */
  public void admit(Connection transaction, String lease, long token) throws SQLException {
    Tokens.requireValid(token);
    if (transaction.getAutoCommit()) {
      throw new IllegalStateException("fencing needs a transaction: switch auto-commit off");
    }
    if (isUpdated(transaction, lease, token)) {
      return;
    }
    OptionalLong seen = seen(transaction, lease);
    if (seen.isPresent()) {
      throw new StaleTokenException(token, seen.getAsLong());
    }
    insert(transaction, lease, token);
  }

  private boolean isUpdated(Connection transaction, String lease, long token) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(update)) {
      statement.setLong(1, token);
      statement.setString(2, lease);
      statement.setLong(3, token);
      return statement.executeUpdate() > 0;
    }
  }

  private OptionalLong seen(Connection transaction, String lease) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(select)) {
      statement.setString(1, lease);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  private void insert(Connection transaction, String lease, long token) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(insert)) {
      statement.setLong(1, token);
      statement.setString(2, lease);
      int unusedOne = statement.executeUpdate();
    }
  }
}
