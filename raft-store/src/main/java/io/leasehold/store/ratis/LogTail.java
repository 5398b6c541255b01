package io.leasehold.store.ratis;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a Raft log after the power has failed. What had been written and not yet forced to
 * disk may then be there in part, sector by sector. It was never acknowledged, so it is cut off.
 * Ratis only knows an end that is missing, and takes one with holes in it for a corrupt log.
 *
 * <p>Holes and corruption are told apart as etcd does (wal/decoder.go, isTornEntry): the file was
 * filled with zeros before, so a sector that was not written is all zeros. Only that is cut off: an
 * entry whose every sector is there, with whole entries behind it or made whole by turning one bit
 * of its length, has been damaged since. A log that is broken in such a way is left as it is, and
 * refused.
 *
 * <p>The file: eight bytes of header, then for each entry its length as a varint, its bytes, and
 * the CRC32C of both; zeros to the end.
 */
final class LogTail {

  private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);

  private static final int HEADER_BYTES = 8;
  private static final int CHECKSUM_BYTES = 4;
  private static final int SECTOR_BYTES = 512;
  private static final int LENGTH_BYTES_MAX = 5;
  private static final int ENTRY_BYTES_MAX = 16 << 20;
  private static final int SEGMENT_BYTES_MAX = 4 * ENTRY_BYTES_MAX;

  /** Named by its first entry, and by its last once it is closed. */
  private static final Pattern SEGMENT =
      Pattern.compile("log_(?:inprogress_)?(\\d{1,18})(?:-(\\d{1,18}))?");

  private final byte[] bytes;

  private LogTail(byte[] bytes) {
    this.bytes = bytes;
  }

  private static LogTail read(Path segment) throws IOException {
    if (Files.size(segment) > SEGMENT_BYTES_MAX) {
      throw new IOException(segment + " is larger than a segment of the log can be");
    }
    return new LogTail(Files.readAllBytes(segment));
  }

  /**
   * Cuts what is torn off the segments that were being written, and has the rest on disk. Ratis
   * takes what it reads for what is on disk, and counts on it; but the process that wrote it may
   * have been killed, or its disk may have failed, before it was forced.
   */
  static void repair(Path groupFolder) throws IOException {
    for (Segment segment : segments(groupFolder)) {
      if (segment.isOpen()) {
        LogTail tail = read(segment.file());
        OptionalLong torn = tail.tornAt();
        if (torn.isPresent()) {
          cut(segment.file(), torn.getAsLong());
        }
        tail.writeAgain(segment.file());
        DurableFiles.force(segment.file().resolveSibling("."));
      }
    }
  }

  /** Returns the index of the first entry that is still there; empty when there is no log. */
  static OptionalLong firstIndex(Path groupFolder) throws IOException {
    return segments(groupFolder).stream().mapToLong(Segment::first).min();
  }

  /**
   * Returns the index of the last entry that is there; empty when there is none. A log that Ratis
   * is going to refuse may have any end.
   */
  static OptionalLong lastIndex(Path groupFolder) throws IOException {
    long last = -1;
    for (Segment segment : segments(groupFolder)) {
      last =
          Math.max(
              last,
              segment.isOpen()
                  ? read(segment.file()).lastIndex(segment.first())
                  : segment.last().getAsLong());
    }
    return last < 0 ? OptionalLong.empty() : OptionalLong.of(last);
  }

  /** Returns the term of the last entry that can be read; 0 when there is none. */
  static long lastTerm(Path groupFolder) throws IOException {
    for (Segment segment : segments(groupFolder)) {
      long term = read(segment.file()).lastTerm();
      if (term > 0) {
        return term;
      }
    }
    return 0;
  }

  /**
   * A file of the log.
   *
   * @param first its first entry
   * @param last its last one, once it is closed
   */
  private record Segment(Path file, long first, OptionalLong last) {

    boolean isOpen() {
      return last.isEmpty();
    }
  }

  /** Returns the files of the log, the newest first; none when it has not been begun. */
  private static List<Segment> segments(Path groupFolder) throws IOException {
    Path current = groupFolder.resolve("current");
    if (!Files.isDirectory(current)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(current)) {
      return files
          .flatMap(file -> segment(file).stream())
          .sorted(Comparator.comparingLong(Segment::first).reversed())
          .toList();
    }
  }

  private static Optional<Segment> segment(Path file) {
    Matcher name = SEGMENT.matcher(String.valueOf(file.getFileName()));
    if (!name.matches()) {
      return Optional.empty();
    }
    OptionalLong last =
        name.group(2) == null
            ? OptionalLong.empty()
            : OptionalLong.of(Long.parseLong(name.group(2)));
    return Optional.of(new Segment(file, Long.parseLong(name.group(1)), last));
  }

  private long lastTerm() throws IOException {
    int last = -1;
    int position = HEADER_BYTES;
    while (position < bytes.length) {
      int end = endOfEntry(position);
      if (end <= position) {
        break;
      }
      last = position;
      position = end;
    }
    if (last < 0) {
      return 0;
    }
    try {
      return LogEntryProto.parseDelimitedFrom(
              new ByteArrayInputStream(bytes, last, position - last))
          .getTerm();
    } catch (InvalidProtocolBufferException e) {
      return 0; // Ratis is going to refuse it.
    }
  }

  private long lastIndex(long first) {
    long next = first;
    int position = HEADER_BYTES;
    while (position < bytes.length) {
      int end = endOfEntry(position);
      if (end < 0) {
        return Long.MAX_VALUE;
      } else if (end == position) {
        break;
      }
      next++;
      position = end;
    }
    return next - 1;
  }

  private static void cut(Path file, long length) throws IOException {
    LOG.warn(
        "the end of {} was being written when the machine stopped, and had not been acknowledged:"
            + " it is cut off at byte {}",
        file,
        length);
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.setLength(length);
      access.getFD().sync();
    }
  }

  /** Forcing alone would not do: the system takes what it once failed to write for written. */
  private void writeAgain(Path file) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.write(bytes, 0, (int) Math.min(bytes.length, access.length()));
      access.getFD().sync();
    }
  }

  /** Where the first torn entry begins; empty if there is none, or the log is broken otherwise. */
  private OptionalLong tornAt() {
    int position = HEADER_BYTES;
    while (position < bytes.length) {
      int end = endOfEntry(position);
      if (end < 0) {
        return isTorn(position) ? OptionalLong.of(position) : OptionalLong.empty();
      } else if (end == position) {
        return OptionalLong.empty();
      }
      position = end;
    }
    return OptionalLong.empty();
  }

  /** Returns where the entry ends; the position itself if only zeros follow; -1 if it is broken. */
  private int endOfEntry(int position) {
    if (bytes[position] == 0) {
      return isZero(position, bytes.length) ? position : -1;
    }
    int length = 0;
    int dataStart = position;
    for (int shift = 0; ; shift += 7) {
      if (dataStart >= bytes.length || shift > 28) {
        return -1;
      }
      byte next = bytes[dataStart++];
      length |= (next & 0x7f) << shift;
      if (next >= 0) {
        break;
      }
    }
    long end = (long) dataStart + length + CHECKSUM_BYTES;
    if (length <= 0 || length > ENTRY_BYTES_MAX || end > bytes.length) {
      return -1;
    }
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, position, dataStart + length - position);
    int written = ByteBuffer.wrap(bytes).getInt(dataStart + length);
    return written == (int) checksum.getValue() ? (int) end : -1;
  }

  /** Whether a sector from here on was never written although something after it was. */
  private boolean isTorn(int position) {
    int lastWritten = bytes.length - 1;
    while (lastWritten > position && bytes[lastWritten] == 0) {
      lastWritten--;
    }
    int start = position;
    while (start <= lastWritten) {
      int end = Math.min((start / SECTOR_BYTES + 1) * SECTOR_BYTES, bytes.length);
      if (isZero(start, end)) {
        return true;
      }
      start = end;
    }
    // Everything up to the last byte that is not zero is there: the rest of the entry is missing.
    return isCutShort(position, lastWritten)
        && !hasEntryBehind(position, lastWritten)
        && !isMadeWholeByOneBit(position);
  }

  /** Whether the entry goes on beyond the end of a sector, and nothing has been written there. */
  private boolean isCutShort(int position, int lastWritten) {
    int end = (lastWritten / SECTOR_BYTES + 1) * SECTOR_BYTES;
    return end < claimedEnd(position);
  }

  /** Whether a whole entry begins later, so that this one was whole once. */
  private boolean hasEntryBehind(int position, int lastWritten) {
    for (int start = position + 1; start <= lastWritten; start++) {
      if (bytes[start] != 0 && endOfEntry(start) > start) {
        return true;
      }
    }
    return false;
  }

  /** Whether the entry is as long as it claims but for one bit of the claim. */
  private boolean isMadeWholeByOneBit(int position) {
    int end = Math.min(position + LENGTH_BYTES_MAX, bytes.length);
    for (int bit = position * Byte.SIZE; bit < end * Byte.SIZE; bit++) {
      flip(bit);
      boolean whole = endOfEntry(position) > position;
      flip(bit);
      if (whole) {
        return true;
      }
    }
    return false;
  }

  private void flip(int bit) {
    bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
  }

  private long claimedEnd(int position) {
    long length = 0;
    int at = position;
    for (int shift = 0; at < bytes.length && shift <= 28; shift += 7) {
      byte next = bytes[at++];
      length |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return length > ENTRY_BYTES_MAX ? position : at + length + CHECKSUM_BYTES;
      }
    }
    return position;
  }

  private boolean isZero(int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
