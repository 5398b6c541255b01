package io.leasehold.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.leasehold.store.codec.proto.AppliedRowProto;
import io.leasehold.store.codec.proto.BatchProto;
import io.leasehold.store.codec.proto.BatchReplyProto;
import io.leasehold.store.codec.proto.CommandProto;
import io.leasehold.store.codec.proto.LeaseRowProto;
import io.leasehold.store.codec.proto.LogEntryProto;
import io.leasehold.store.codec.proto.NewsRowProto;
import io.leasehold.store.codec.proto.RevokedRowProto;
import io.leasehold.store.codec.proto.SessionRowProto;
import io.leasehold.store.codec.proto.StateRowProto;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Entry;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is not exactly a value of this version is refused, and by nothing but a refusal. */
final class MalformedBytesTest {

  private static final BatchCodec BATCHES = new BatchCodec(Limits.DEFAULT);
  private static final EntryCodec ENTRIES = new EntryCodec(BATCHES);
  private static final ReplyCodec REPLIES = new ReplyCodec();
  private static final RowCodec ROWS = new RowCodec();

  /** A decoder, what it throws, and a message that it reads. */
  private record Form(Consumer<byte[]> decoder, Class<?> refusal, Message message) {}

  private static List<Form> forms() throws Exception {
    List<Form> forms = new ArrayList<>();
    for (Batch batch : Samples.batches().values()) {
      Consumer<byte[]> decoder = bytes -> BATCHES.decode(ByteBuffer.wrap(bytes));
      Message message = BatchProto.parseFrom(BATCHES.encode(batch));
      forms.add(new Form(decoder, MalformedBatchException.class, message));
    }
    for (var reply : Samples.replies().values()) {
      Consumer<byte[]> decoder = bytes -> REPLIES.decode(ByteBuffer.wrap(bytes));
      Message message = BatchReplyProto.parseFrom(REPLIES.encode(reply));
      forms.add(new Form(decoder, MalformedReplyException.class, message));
    }
    for (var lease : Samples.leases().values()) {
      forms.add(row(b -> ROWS.lease("printer", b), LeaseRowProto.parseFrom(ROWS.encode(lease))));
    }
    for (var session : Samples.sessions().values()) {
      Message message = SessionRowProto.parseFrom(ROWS.encode(session));
      forms.add(row(bytes -> ROWS.session(Samples.A, bytes), message));
    }
    for (var state : Samples.states().values()) {
      forms.add(row(ROWS::state, StateRowProto.parseFrom(ROWS.encode(state))));
    }
    byte[] news = ROWS.encodeNews(List.copyOf(Samples.events().values()));
    forms.add(row(ROWS::news, NewsRowProto.parseFrom(news)));
    byte[] applied = ROWS.encode(new RowCodec.Applied(1, 2));
    forms.add(row(ROWS::applied, AppliedRowProto.parseFrom(applied)));
    forms.add(row(ROWS::revoked, RevokedRowProto.parseFrom(ROWS.encodeRevoked(3))));
    Consumer<byte[]> decoder = bytes -> ENTRIES.decode(17, ByteBuffer.wrap(bytes));
    forms.add(new Form(decoder, UnreadableEntryException.class, entry().build()));
    return forms;
  }

  private static Form row(Consumer<byte[]> decoder, Message message) {
    return new Form(decoder, MalformedRowException.class, message);
  }

  private static LogEntryProto.Builder entry() {
    byte[] batch = BATCHES.encode(Samples.ACQUIRE);
    return LogEntryProto.newBuilder()
        .setFormat(1)
        .setStampNanos(5)
        .setStampTerm(2)
        .setTokenFloor(0)
        .setBatch(ByteString.copyFrom(batch));
  }

  @Test
  void aValueWithoutAnyOneOfItsFieldsIsRefused() throws Exception {
    for (Form form : forms()) {
      for (Message without : eachWithoutOneField(form.message())) {
        assertThatThrownBy(() -> form.decoder().accept(without.toByteArray()))
            .as("%s", without)
            .isInstanceOf(form.refusal())
            .hasMessageContaining("missing");
      }
    }
  }

  /** Every message that differs from this one by one field that is not set, at any depth. */
  private static List<Message> eachWithoutOneField(Message message) {
    List<Message> all = new ArrayList<>();
    for (FieldDescriptor field : message.getAllFields().keySet()) {
      boolean isOptional = field.getFullName().endsWith("LeaseRowProto.revoked_expiry_nanos");
      if (!field.isRepeated() && !isOptional) {
        all.add(message.toBuilder().clearField(field).build());
      }
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        eachInside(message, field, MalformedBytesTest::eachWithoutOneField, all);
      }
    }
    return all;
  }

  private interface Variants {
    List<Message> of(Message message);
  }

  private static void eachInside(
      Message message, FieldDescriptor field, Variants variants, List<Message> all) {
    if (!field.isRepeated()) {
      for (Message inner : variants.of((Message) message.getField(field))) {
        all.add(message.toBuilder().setField(field, inner).build());
      }
      return;
    }
    for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
      for (Message inner : variants.of((Message) message.getRepeatedField(field, i))) {
        all.add(message.toBuilder().setRepeatedField(field, i, inner).build());
      }
    }
  }

  @Test
  void aValueWithAFieldThatIsNotKnownIsRefused() throws Exception {
    for (Form form : forms()) {
      for (Message withMore : eachWithOneMoreField(form.message())) {
        assertThatThrownBy(() -> form.decoder().accept(withMore.toByteArray()))
            .as("%s", withMore)
            .isInstanceOf(form.refusal())
            .hasMessageContaining("unknown");
      }
    }
  }

  private static List<Message> eachWithOneMoreField(Message message) {
    UnknownFieldSet.Field one = UnknownFieldSet.Field.newBuilder().addVarint(1).build();
    List<Message> all = new ArrayList<>();
    all.add(
        message.toBuilder()
            .setUnknownFields(UnknownFieldSet.newBuilder().addField(999, one).build())
            .build());
    for (FieldDescriptor field : message.getAllFields().keySet()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        eachInside(message, field, MalformedBytesTest::eachWithOneMoreField, all);
      }
    }
    return all;
  }

  static LongStream seeds() {
    return Seeds.upTo(20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void damagedBytesAreReadOrRefusedAndNothingElse(long seed) throws Exception {
    Random random = new Random(seed);
    for (Form form : forms()) {
      byte[] bytes = form.message().toByteArray();
      for (int i = 0; i < 20 && bytes.length > 0; i++) {
        byte[] damaged = damaged(bytes, random);
        try {
          form.decoder().accept(damaged);
        } catch (RuntimeException e) {
          assertThat(e).isInstanceOf(form.refusal());
        }
      }
    }
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    byte[] damaged = ByteBuffer.allocate(bytes.length).put(bytes).array();
    if (random.nextInt(3) == 0) {
      return ByteBuffer.allocate(random.nextInt(bytes.length)).put(damaged, 0, 0).array();
    }
    for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return damaged;
  }

  static Stream<Arguments> oversizeCommands() {
    String atLimit = "n".repeat(512);
    return Stream.of(
        argumentSet("name", new Command.Release("n".repeat(513), 1)),
        argumentSet("name in bytes", new Command.Leave("\u00fc".repeat(257), 1)),
        argumentSet("owner", new Command.Acquire("n", "o".repeat(257), 1, 1, true, true)),
        argumentSet("owner", new Command.Acquire(atLimit, "\u00fc".repeat(129), 1, 1, true, true)),
        argumentSet("node", new Command.OpenSession("n".repeat(257), 1)),
        argumentSet("reason", new Command.Revoke("n", 1, "r".repeat(1_001), false)));
  }

  @ParameterizedTest
  @MethodSource("oversizeCommands")
  void aTextOverItsLimitIsRefused(Command command) {
    byte[] bytes = BATCHES.encode(Batch.of(Samples.A, 1, List.of(command)));

    assertThatThrownBy(() -> BATCHES.decode(ByteBuffer.wrap(bytes)))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining("has more than");
  }

  @Test
  void textsAtTheirLimitAreRead() {
    Batch batch =
        Batch.of(
            Samples.A,
            1,
            List.of(
                new Command.Acquire(
                    "\u00fc".repeat(256), "\ud83d\ude00".repeat(64), 1, 1, true, true),
                new Command.OpenSession("\u00fc".repeat(256), 1),
                new Command.Revoke("n", 1, "\u00fc".repeat(1_000), false)));

    assertThat(BATCHES.decode(ByteBuffer.wrap(BATCHES.encode(batch)))).isEqualTo(batch);
  }

  @Test
  void moreCommandsThanTheLimitAreRefused() {
    BatchCodec two = new BatchCodec(new Limits(2, 1, 1, 1, 1));
    Command command = new Command.Reconcile();

    byte[] atLimit = two.encode(Batch.ofStore(Collections.nCopies(2, command)));
    byte[] over = two.encode(Batch.ofStore(Collections.nCopies(3, command)));

    assertThat(two.decode(ByteBuffer.wrap(atLimit)).commands()).hasSize(2);
    assertThatThrownBy(() -> two.decode(ByteBuffer.wrap(over)))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining("3 commands, more than 2");
  }

  @Test
  void theLargestBatchOfAcquiresFits() {
    Command largest =
        new Command.Acquire(
            "n".repeat(512), "o".repeat(256), Long.MIN_VALUE, Long.MIN_VALUE, true, true);
    int most = Limits.DEFAULT.commandsPerBatch();
    Batch batch = Batch.of(Samples.A, Long.MAX_VALUE, Collections.nCopies(most, largest));

    byte[] bytes = BATCHES.encode(batch);

    assertThat(bytes.length).isLessThanOrEqualTo(BatchCodec.BYTES_MAX);
    assertThat(BATCHES.decode(ByteBuffer.wrap(bytes))).isEqualTo(batch);
  }

  @Test
  void moreBytesThanTheLimitAreRefusedUnread() {
    assertThatThrownBy(() -> BATCHES.decode(ByteBuffer.allocate(BatchCodec.BYTES_MAX + 1)))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining("bytes");
  }

  @Test
  void aSequenceIsPositive() {
    BatchProto proto =
        BatchProto.newBuilder().setSession(Fields.toProto(Samples.A)).setSequence(0).build();

    assertThatThrownBy(() -> BATCHES.decode(ByteBuffer.wrap(proto.toByteArray())))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining("sequence");
  }

  @Test
  void anUnknownCommandIsRefused() {
    UnknownFieldSet.Field more = UnknownFieldSet.Field.newBuilder().addVarint(1).build();
    BatchProto proto =
        BatchProto.newBuilder()
            .addCommands(
                CommandProto.newBuilder()
                    .setUnknownFields(UnknownFieldSet.newBuilder().addField(11, more).build()))
            .build();

    assertThatThrownBy(() -> BATCHES.decode(ByteBuffer.wrap(proto.toByteArray())))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining("CommandProto has fields unknown to this version");
  }

  static Stream<Arguments> unreadableEntries() {
    return Stream.of(
        argumentSet(
            "newer",
            entry().setFormat(2),
            "log entry 17 was written by a newer version (format 2, this node reads 1):"
                + " upgrade this node"),
        argumentSet(
            "much newer",
            entry().setFormat(-1),
            "log entry 17 was written by a newer version (format 4294967295, this node reads 1):"
                + " upgrade this node"),
        argumentSet("never", entry().setFormat(0), "log entry 17 is corrupt: there is no format 0"),
        argumentSet(
            "negative time",
            entry().setStampNanos(-1),
            "log entry 17 is corrupt: lease time must be from 0 to 2^62 ns: -1"),
        argumentSet(
            "negative term",
            entry().setStampTerm(-1),
            "log entry 17 is corrupt: term must not be negative: -1"),
        argumentSet(
            "negative floor",
            entry().setTokenFloor(-1),
            "log entry 17 is corrupt: token floor must be from 0 to 2^53: -1"),
        argumentSet(
            "late time",
            entry().setStampNanos((1L << 62) + 1),
            "log entry 17 is corrupt: lease time must be from 0 to 2^62 ns: 4611686018427387905"),
        argumentSet(
            "high floor",
            entry().setTokenFloor((1L << 53) + 1),
            "log entry 17 is corrupt: token floor must be from 0 to 2^53: 9007199254740993"));
  }

  @ParameterizedTest
  @MethodSource("unreadableEntries")
  void anUnreadableEntrySaysWhatToDo(LogEntryProto.Builder entry, String message) {
    byte[] bytes = entry.build().toByteArray();

    assertThatThrownBy(() -> ENTRIES.decode(17, ByteBuffer.wrap(bytes)))
        .isInstanceOf(UnreadableEntryException.class)
        .hasMessage(message);
  }

  @Test
  void anEntryThatIsNoMessageAtAllIsCorrupt() {
    assertThatThrownBy(() -> ENTRIES.decode(17, ByteBuffer.wrap(new byte[] {-1, -1, -1})))
        .isInstanceOf(UnreadableEntryException.class)
        .hasMessageStartingWith("log entry 17 is corrupt: ");
  }

  @Test
  void decodingLeavesTheBufferAsItWas() {
    byte[] bytes = BATCHES.encode(Samples.ACQUIRE);
    ByteBuffer larger = ByteBuffer.allocate(bytes.length + 7).position(3);
    larger.put(bytes).limit(3 + bytes.length).position(3);

    assertThat(BATCHES.decode(larger)).isEqualTo(Samples.ACQUIRE);

    assertThat(larger.position()).isEqualTo(3);
  }

  @Test
  void anEntryTellsTheMachineItsPlaceAndItsStamp() {
    StampedBatch stamped = new StampedBatch(new Stamp(5, 2, 9), Samples.ACQUIRE);

    assertThat(stamped.entryAt(3, 17)).isEqualTo(new Entry(17, 3, 5, 2, 9));
  }
}
