package io.leasehold.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class LockTableTest {

  private final LockTable table = new LockTable();

  @Test
  void aHeldLockIsRefusedToOthersAndConfirmedToItsOwner() throws IOException {
    long first = apply(table, LockTable.acquire("printer", "a"));

    assertThat(first).isNotEqualTo(LockTable.REFUSED);
    assertThat(apply(table, LockTable.acquire("printer", "b"))).isEqualTo(LockTable.REFUSED);
    assertThat(apply(table, LockTable.acquire("printer", "a"))).isEqualTo(first);
    assertThat(apply(table, LockTable.acquire("scanner", "b"))).isGreaterThan(first);
  }

  @Test
  void onlyItsOwnerReleasesALock() throws IOException {
    long first = apply(table, LockTable.acquire("printer", "a"));

    assertThat(apply(table, LockTable.release("printer", "b"))).isEqualTo(LockTable.REFUSED);
    assertThat(apply(table, LockTable.acquire("printer", "b"))).isEqualTo(LockTable.REFUSED);
    assertThat(apply(table, LockTable.release("printer", "a"))).isEqualTo(first);
    assertThat(apply(table, LockTable.acquire("printer", "b"))).isGreaterThan(first);
  }

  @Test
  void aSnapshotHasTheLocksAndTheNumbers() throws IOException {
    long first = apply(table, LockTable.acquire("printer", "a"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    table.writeContentTo(new DataOutputStream(bytes));
    LockTable copy = new LockTable();
    copy.readContentFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

    assertThat(apply(copy, LockTable.acquire("printer", "a"))).isEqualTo(first);
    assertThat(apply(copy, LockTable.acquire("printer", "b"))).isEqualTo(LockTable.REFUSED);
    assertThat(apply(copy, LockTable.acquire("scanner", "b"))).isGreaterThan(first);
  }

  private static long apply(LockTable table, byte[] command) throws IOException {
    return LockTable.numberIn(table.apply(command, 0, command.length, true));
  }
}
