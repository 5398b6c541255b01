package io.leasehold.store.codec;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.leasehold.store.codec.proto.BatchProto;
import io.leasehold.store.codec.proto.CommandProto;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches as a node sends them and the log keeps them. Immutable.
 *
 * <p>Decoding bounds every text and the number of commands, so that whatever comes out is small
 * enough to be worked with; what a command means is the machine's to judge.
 */
public final class BatchCodec {

  /**
   * Most bytes of a batch: enough for the most acquires with the longest names and owners, well
   * under what Ratis puts into one message between members (4 MB).
   */
  public static final int BYTES_MAX = 2 << 20;

  private final Limits limits;

  public BatchCodec(Limits limits) {
    this.limits = requireNonNull(limits, "limits");
  }

  /**
   * Returns the format of log entries that a batch needs: that in which the newest kind of its
   * commands first appeared.
   */
  public int format(Batch batch) {
    return batch.commands().stream().mapToInt(CommandFields::format).reduce(1, Math::max);
  }

  /** Returns the bytes of a batch. */
  public byte[] encode(Batch batch) {
    BatchProto.Builder proto = BatchProto.newBuilder();
    batch
        .origin()
        .ifPresent(
            origin ->
                proto.setSession(Fields.toProto(origin.session())).setSequence(origin.sequence()));
    for (Command command : batch.commands()) {
      proto.addCommands(CommandFields.toProto(command));
    }
    return proto.build().toByteArray();
  }

  /**
   * Returns the batch that bytes contain.
   *
   * @throws MalformedBatchException if they do not contain one, or one that is over a limit
   */
  public Batch decode(ByteBuffer bytes) {
    return decode(ByteString.copyFrom(bytes.duplicate()));
  }

  /** {@link #decode(ByteBuffer)} of bytes that are part of a log entry. */
  Batch decode(ByteString bytes) {
    try {
      if (bytes.size() > BYTES_MAX) {
        throw new MalformedFieldException("it has " + bytes.size() + " bytes");
      }
      return fromProto(BatchProto.parseFrom(bytes));
    } catch (InvalidProtocolBufferException | MalformedFieldException e) {
      throw new MalformedBatchException("not a batch of this version: " + e.getMessage(), e);
    }
  }

  private Batch fromProto(BatchProto proto) {
    Fields.requireKnown(proto);
    if (proto.getCommandsCount() > limits.commandsPerBatch()) {
      throw new MalformedFieldException(
          "it has %d commands, more than %d"
              .formatted(proto.getCommandsCount(), limits.commandsPerBatch()));
    }
    List<Command> commands = new ArrayList<>(proto.getCommandsCount());
    for (CommandProto command : proto.getCommandsList()) {
      commands.add(CommandFields.command(command));
    }
    if (!proto.hasSession() && !proto.hasSequence()) {
      return Batch.ofStore(commands);
    }
    Fields.require(proto.hasSequence(), "sequence");
    if (proto.getSequence() < 1) {
      throw new MalformedFieldException("sequence is not positive");
    }
    return Batch.of(
        Fields.sessionId(proto.hasSession(), proto.getSession()), proto.getSequence(), commands);
  }
}
