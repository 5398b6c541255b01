package io.leasehold.store.rocks;

import io.leasehold.store.core.Claim;
import io.leasehold.store.core.SessionId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of the table. They share one column family, so that one write batch and one flush cover
 * them all, and are told apart by their first byte. Numbers are big-endian, so that rows are
 * ordered as the numbers are (unsigned); a session id is its two halves, 16 bytes; texts are UTF-8.
 *
 * <table>
 *   <caption>Keys and values</caption>
 *   <tr><th>first byte</th><th>then</th><th>value</th></tr>
 *   <tr><td>{@code F}</td><td></td><td>format of the table, 4 bytes</td></tr>
 *   <tr><td>{@code A}</td><td></td><td>term and index of the last entry applied</td></tr>
 *   <tr><td>{@code N}</td><td></td><td>the numbers of the whole store</td></tr>
 *   <tr><td>{@code L}</td><td>lease name</td><td>holder and queue of a held lease</td></tr>
 *   <tr><td>{@code S}</td><td>session id</td><td>a session</td></tr>
 *   <tr><td>{@code W}</td><td>session id</td><td>news that wait for the session</td></tr>
 *   <tr><td>{@code R}</td><td>session id</td><td>the reply to its last batch</td></tr>
 *   <tr><td>{@code C}</td><td>session id, ttl (8), acquisition id (8), lease name</td>
 *       <td>empty: a claim is all in its key</td></tr>
 *   <tr><td>{@code X}</td><td>as {@code C}</td><td>expiry of a revoked lease</td></tr>
 * </table>
 */
final class KeyLayout {

  static final byte[] FORMAT = {'F'};
  static final byte[] APPLIED = {'A'};
  static final byte[] STATE = {'N'};
  static final byte[] LEASES = {'L'};
  static final byte[] SESSIONS = {'S'};
  static final byte[] REVOKED = {'X'};

  /** What the keys of all rows begin with, in their order. */
  static final List<byte[]> ALL =
      "ACFLNRSWX".chars().mapToObj(first -> new byte[] {(byte) first}).toList();

  private static final int SESSION_KEY_BYTES = 1 + 2 * Long.BYTES;
  private static final int CLAIM_NAME_OFFSET = SESSION_KEY_BYTES + 2 * Long.BYTES;

  private KeyLayout() {}

  static byte[] lease(String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    byte[] key = new byte[1 + text.length];
    key[0] = 'L';
    System.arraycopy(text, 0, key, 1, text.length);
    return key;
  }

  static String leaseName(byte[] key) {
    return new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
  }

  static byte[] session(SessionId id) {
    return ofSession('S', id);
  }

  static SessionId sessionId(byte[] key) {
    ByteBuffer bytes = ByteBuffer.wrap(key, 1, 2 * Long.BYTES);
    return new SessionId(bytes.getLong(), bytes.getLong());
  }

  static byte[] news(SessionId id) {
    return ofSession('W', id);
  }

  static byte[] lastReply(SessionId id) {
    return ofSession('R', id);
  }

  /** Returns what the keys of all claims of a session begin with. */
  static byte[] claims(SessionId id) {
    return ofSession('C', id);
  }

  private static byte[] ofSession(char first, SessionId id) {
    return ByteBuffer.allocate(SESSION_KEY_BYTES)
        .put((byte) first)
        .putLong(id.high())
        .putLong(id.low())
        .array();
  }

  static byte[] claim(Claim claim) {
    return ofClaim('C', claim);
  }

  static byte[] revoked(Claim claim) {
    return ofClaim('X', claim);
  }

  private static byte[] ofClaim(char first, Claim claim) {
    byte[] name = claim.name().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(CLAIM_NAME_OFFSET + name.length)
        .put((byte) first)
        .putLong(claim.session().high())
        .putLong(claim.session().low())
        .putLong(claim.ttlNanos())
        .putLong(claim.acquisitionId())
        .put(name)
        .array();
  }

  static Claim claim(byte[] key) {
    ByteBuffer bytes = ByteBuffer.wrap(key, SESSION_KEY_BYTES, 2 * Long.BYTES);
    long ttlNanos = bytes.getLong();
    long acquisitionId = bytes.getLong();
    String name =
        new String(key, CLAIM_NAME_OFFSET, key.length - CLAIM_NAME_OFFSET, StandardCharsets.UTF_8);
    return new Claim(sessionId(key), ttlNanos, name, acquisitionId);
  }

  /** Returns the least key that is greater than every key that begins so. */
  static byte[] after(byte[] prefix) {
    byte[] next = prefix.clone();
    int last = next.length - 1;
    while (next[last] == (byte) 0xff) {
      last--;
    }
    next[last]++;
    return Arrays.copyOf(next, last + 1);
  }

  /** Names a row in a message for people. */
  static String describe(byte[] key) {
    return switch ((char) key[0]) {
      case 'F' -> "the format of the table";
      case 'A' -> "the last applied entry";
      case 'N' -> "the numbers of the store";
      case 'L' -> "lease \"" + leaseName(key) + "\"";
      case 'S' -> "session " + sessionId(key);
      case 'W' -> "the news of session " + sessionId(key);
      case 'R' -> "the last reply to session " + sessionId(key);
      case 'C' -> "a claim of session " + sessionId(key);
      case 'X' -> "the revoked lease \"" + claim(key).name() + "\"";
      default -> "an unknown row";
    };
  }
}
