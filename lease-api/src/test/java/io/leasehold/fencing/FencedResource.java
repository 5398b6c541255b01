package io.leasehold.fencing;

import java.sql.SQLException;

/** What the tests know of a resource that compares tokens. */
interface FencedResource extends AutoCloseable {

  /** Writes a word, or throws. */
  void write(long token, String word) throws Exception;

  /** Returns the word that was written last; empty before the first. */
  String read() throws Exception;

  @Override
  void close() throws SQLException;
}
