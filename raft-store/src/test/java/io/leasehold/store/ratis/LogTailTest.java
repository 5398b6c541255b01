package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is cut off an open segment, and what is left for Ratis to refuse. */
final class LogTailTest {

  @TempDir Path group;
  private Path segment;

  @BeforeEach
  void makeFolder() throws IOException {
    segment = Files.createDirectories(group.resolve("current")).resolve("log_inprogress_0");
  }

  @Test
  void aGroupThatIsNotThereYetIsLeftAlone() throws IOException {
    LogTail.repair(group.resolve("other"));

    assertThat(group.resolve("other")).doesNotExist();
  }

  @Test
  void aWholeSegmentIsKept() throws IOException {
    assertKept(concat(header(), entry(10), entry(2_000), new byte[4_096]));
    assertKept(concat(header(), entry(10)));
    assertKept(header());
    assertKept(new byte[0]);
  }

  /** The process that wrote it may have ended before it was on disk, and Ratis counts on it. */
  @Test
  void whatIsKeptIsWrittenAgain() throws IOException {
    Path closed = Files.write(segment.resolveSibling("log_0-6"), header());
    Files.write(segment, concat(header(), entry(10)));
    FileTime before = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(segment, before);
    Files.setLastModifiedTime(closed, before);

    LogTail.repair(group);

    assertThat(Files.getLastModifiedTime(segment)).isGreaterThan(before);
    assertThat(Files.getLastModifiedTime(closed)).isEqualTo(before);
  }

  @Test
  void anEntryWithASectorThatWasNotWrittenIsCutOff() throws IOException {
    byte[] whole = concat(header(), entry(100), entry(3_000));
    byte[] torn = concat(whole, new byte[4_096]);
    Arrays.fill(torn, 1_024, 1_536, (byte) 0);

    assertCut(torn, header().length + entry(100).length);
  }

  @Test
  void anEntryOfWhichTheBeginningWasNotWrittenIsCutOff() throws IOException {
    byte[] before = concat(header(), entry(400));
    byte[] torn = concat(before, entry(3_000), new byte[4_096]);
    Arrays.fill(torn, before.length, 512, (byte) 0);

    assertCut(torn, before.length);
  }

  @Test
  void anEntryOfWhichTheEndWasNotWrittenIsCutOff() throws IOException {
    byte[] before = concat(header(), entry(100));
    byte[] torn = concat(before, entry(3_000), new byte[4_096]);
    Arrays.fill(torn, 1_024, torn.length, (byte) 0);

    assertCut(torn, before.length);
  }

  @Test
  void whatFollowsATornEntryIsCutOffToo() throws IOException {
    byte[] before = concat(header(), entry(100));
    byte[] torn = concat(before, entry(3_000), entry(50), new byte[4_096]);
    Arrays.fill(torn, 512, 1_024, (byte) 0);

    assertCut(torn, before.length);
  }

  @Test
  void aFlippedBitIsNotTorn() throws IOException {
    byte[] corrupt = concat(header(), entry(100), entry(3_000), entry(100), new byte[4_096]);
    corrupt[1_000] ^= 1;

    assertKept(corrupt);
  }

  @Test
  void aFlippedBitInALengthIsNotTorn() throws IOException {
    byte[] whole = concat(header(), entry(70), entry(70), entry(70), new byte[4_096]);
    int second = header().length + entry(70).length;
    int last = second + entry(70).length;
    for (int position : new int[] {header().length, second, last}) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        byte[] corrupt = whole.clone();
        corrupt[position] ^= (byte) (1 << bit);
        assertKept(corrupt);
      }
    }
  }

  @Test
  void damageBeforeAWholeEntryIsNotTorn() throws IOException {
    byte[] corrupt = concat(header(), entry(70), entry(70), new byte[4_096]);
    Arrays.fill(corrupt, header().length, header().length + 4, (byte) 0xff);
    corrupt[header().length + 4] = 1;

    assertKept(corrupt);
  }

  @Test
  void theLastEntryIsThatOfTheLastSegment() throws IOException {
    assertThat(LogTail.lastIndex(group)).isEmpty();

    Files.write(segment.resolveSibling("log_0-6"), new byte[0]);
    assertThat(LogTail.lastIndex(group)).hasValue(6);

    Path open = segment.resolveSibling("log_inprogress_7");
    Files.write(open, concat(header(), entry(70), entry(70), new byte[4_096]));
    assertThat(LogTail.lastIndex(group)).hasValue(8);

    Files.write(open, header());
    assertThat(LogTail.lastIndex(group)).hasValue(6);
  }

  @Test
  void aLogThatIsBrokenMayHaveAnyEnd() throws IOException {
    byte[] broken = concat(header(), entry(70), entry(70), new byte[4_096]);
    broken[100] ^= 1;
    Files.write(segment, broken);

    assertThat(LogTail.lastIndex(group)).hasValue(Long.MAX_VALUE);
  }

  @Test
  void theLastTermIsThatOfTheLastEntry() throws IOException {
    assertThat(LogTail.lastTerm(group)).isZero();

    Files.write(segment.resolveSibling("log_0-6"), segment(4));
    assertThat(LogTail.lastTerm(group)).isEqualTo(4);

    Path open = segment.resolveSibling("log_inprogress_7");
    Files.write(open, header());
    assertThat(LogTail.lastTerm(group)).isEqualTo(4);

    Files.write(open, segment(12));
    assertThat(LogTail.lastTerm(group)).isEqualTo(12);
  }

  @Test
  void anEmptySegmentHasNoEntry() throws IOException {
    Files.write(segment, new byte[0]);

    assertThat(LogTail.lastIndex(group)).isEmpty();
  }

  @Test
  void aClosedSegmentIsNeverTouched() throws IOException {
    byte[] torn = concat(header(), entry(3_000), new byte[4_096]);
    Arrays.fill(torn, 1_024, 1_536, (byte) 0);
    Path closed = segment.resolveSibling("log_0-0");
    Files.write(closed, torn);

    LogTail.repair(group);

    assertThat(closed).hasBinaryContent(torn);
  }

  private void assertKept(byte[] bytes) throws IOException {
    Files.write(segment, bytes);
    LogTail.repair(group);
    assertThat(segment).hasBinaryContent(bytes);
  }

  private void assertCut(byte[] bytes, int length) throws IOException {
    Files.write(segment, bytes);
    LogTail.repair(group);
    assertThat(segment).hasBinaryContent(Arrays.copyOf(bytes, length));
  }

  private static byte[] header() {
    return "RaftLog1".getBytes(StandardCharsets.UTF_8);
  }

  /** An entry as Ratis writes it: it begins with an 8, and none of its bytes is zero. */
  private static byte[] entry(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (8 + i % 100);
    }
    return entry(bytes);
  }

  /** An entry of a term, in a segment's file. */
  static byte[] segment(long term) throws IOException {
    LogEntryProto entry = LogEntryProto.newBuilder().setTerm(term).setIndex(7).build();
    return concat(header(), entry(70), entry(entry.toByteArray()), new byte[4_096]);
  }

  private static byte[] entry(byte[] bytes) {
    ByteBuffer out = ByteBuffer.allocate(bytes.length + 9);
    int rest = bytes.length;
    while (rest > 0x7f) {
      out.put((byte) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
    out.put(bytes);
    CRC32C checksum = new CRC32C();
    checksum.update(out.array(), 0, out.position());
    out.putInt((int) checksum.getValue());
    return Arrays.copyOf(out.array(), out.position());
  }

  private static byte[] concat(byte[]... parts) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.write(part);
    }
    return out.toByteArray();
  }
}
