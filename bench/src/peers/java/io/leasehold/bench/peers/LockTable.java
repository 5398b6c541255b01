package io.leasehold.bench.peers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jgroups.raft.StateMachine;

/**
 * The least that makes locks of a replicated log: who has which, and a number for each grant.
 * Confined to the thread that applies the log.
 */
final class LockTable implements StateMachine {

  /** The answer to an acquire of what another owner has. */
  static final long REFUSED = 0;

  private record Grant(String owner, long number) {}

  private final Map<String, Grant> grants = new HashMap<>();
  private long granted;

  /** Asks for a lock; the answer is the number of the grant, or {@link #REFUSED}. */
  static byte[] acquire(String lock, String owner) {
    return command(true, lock, owner);
  }

  /** Gives a lock back; the answer is the number of the grant that ended, or {@link #REFUSED}. */
  static byte[] release(String lock, String owner) {
    return command(false, lock, owner);
  }

  private static byte[] command(boolean acquire, String lock, String owner) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeBoolean(acquire);
      out.writeUTF(lock);
      out.writeUTF(owner);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write into memory", e);
    }
    return bytes.toByteArray();
  }

  static long numberIn(byte[] answer) {
    return ByteBuffer.wrap(answer).getLong();
  }

  @Override
  public byte[] apply(byte[] data, int offset, int length, boolean answer) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(data, offset, length));
    boolean acquire = in.readBoolean();
    String lock = in.readUTF();
    String owner = in.readUTF();
    Grant grant = grants.get(lock);
    if (acquire && grant == null) {
      granted++;
      grant = new Grant(owner, granted);
      grants.put(lock, grant);
    }
    boolean own = grant != null && grant.owner.equals(owner);
    if (!acquire && own) {
      grants.remove(lock);
    }
    return ByteBuffer.allocate(Long.BYTES).putLong(own ? grant.number : REFUSED).array();
  }

  @Override
  public void writeContentTo(DataOutput out) throws IOException {
    out.writeLong(granted);
    out.writeInt(grants.size());
    for (Map.Entry<String, Grant> entry : grants.entrySet()) {
      out.writeUTF(entry.getKey());
      out.writeUTF(entry.getValue().owner);
      out.writeLong(entry.getValue().number);
    }
  }

  @Override
  public void readContentFrom(DataInput in) throws IOException {
    grants.clear();
    granted = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      grants.put(in.readUTF(), new Grant(in.readUTF(), in.readLong()));
    }
  }
}
