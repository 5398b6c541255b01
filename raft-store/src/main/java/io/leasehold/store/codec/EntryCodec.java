package io.leasehold.store.codec;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.leasehold.store.codec.proto.LogEntryProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Log entries: a header that the leader writes, followed by the bytes of a batch just as the node
 * has sent them. Immutable.
 */
public final class EntryCodec {

  /** The newest format that this version reads and, where a command needs it, writes. */
  public static final int FORMAT = 1;

  private final BatchCodec batches;

  public EntryCodec(BatchCodec batches) {
    this.batches = requireNonNull(batches, "batches");
  }

  /**
   * Returns the bytes that make an entry when the bytes of a batch follow them.
   *
   * @param format of the batch, so that members which do not know newer kinds of commands can read
   *     all entries without any
   * @param batchLength how many bytes will follow
   */
  public byte[] header(Stamp stamp, int format, int batchLength) {
    LogEntryProto fields =
        LogEntryProto.newBuilder()
            .setFormat(format)
            .setStampNanos(stamp.nanos())
            .setStampTerm(stamp.term())
            .setTokenFloor(stamp.tokenFloor())
            .build();
    byte[] header =
        new byte
            [fields.getSerializedSize()
                + CodedOutputStream.computeTagSize(LogEntryProto.BATCH_FIELD_NUMBER)
                + CodedOutputStream.computeUInt32SizeNoTag(batchLength)];
    CodedOutputStream out = CodedOutputStream.newInstance(header);
    try {
      fields.writeTo(out);
      out.writeTag(LogEntryProto.BATCH_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(batchLength);
    } catch (IOException e) {
      throw new UncheckedIOException("an array of the right size is too small", e);
    }
    out.checkNoSpaceLeft();
    return header;
  }

  /**
   * Returns what the bytes of a log entry contain.
   *
   * @param index the entry's place in the log, for the message
   * @throws UnreadableEntryException if they are of a newer format or corrupt
   */
  public StampedBatch decode(long index, ByteBuffer bytes) {
    try {
      LogEntryProto proto = LogEntryProto.parseFrom(bytes.duplicate());
      Fields.require(proto.hasFormat(), "format");
      if (Integer.compareUnsigned(proto.getFormat(), FORMAT) > 0) {
        throw new UnreadableEntryException(
            ("log entry %d was written by a newer version (format %s, this node reads %d):"
                    + " upgrade this node")
                .formatted(index, Integer.toUnsignedString(proto.getFormat()), FORMAT),
            null);
      }
      return fromProto(proto);
    } catch (InvalidProtocolBufferException
        | MalformedFieldException
        | MalformedBatchException
        | IllegalArgumentException e) {
      throw new UnreadableEntryException(
          "log entry %d is corrupt: %s".formatted(index, e.getMessage()), e);
    }
  }

  private StampedBatch fromProto(LogEntryProto proto) {
    Fields.requireKnown(proto);
    if (proto.getFormat() < 1) {
      throw new MalformedFieldException("there is no format " + proto.getFormat());
    }
    Fields.require(proto.hasStampNanos(), "stamp");
    Fields.require(proto.hasStampTerm(), "term of the stamp");
    Fields.require(proto.hasTokenFloor(), "token floor");
    Fields.require(proto.hasBatch(), "batch");
    Stamp stamp = new Stamp(proto.getStampNanos(), proto.getStampTerm(), proto.getTokenFloor());
    return new StampedBatch(stamp, batches.decode(proto.getBatch()));
  }
}
