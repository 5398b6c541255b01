package io.leasehold.bench;

import io.leasehold.store.codec.BatchCodec;
import io.leasehold.store.codec.ReplyCodec;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Limits;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to write and read a batch of acquires, and the reply that grants them. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBenchmark {

  private static final BatchCodec BATCHES = new BatchCodec(Limits.DEFAULT);
  private static final ReplyCodec REPLIES = new ReplyCodec();

  /** A batch and its reply in both forms. */
  @State(Scope.Thread)
  public static class Messages {

    @Param({"1", "64"})
    public int leases;

    private Batch batch;
    private byte[] batchBytes;
    private BatchReply reply;
    private byte[] replyBytes;

    @Setup
    public void make() {
      CycleEntries entries = new CycleEntries(leases);
      batch = entries.acquires();
      batchBytes = BATCHES.encode(batch);
      reply = entries.apply(batch).reply();
      replyBytes = REPLIES.encode(reply);
    }
  }

  @Benchmark
  public byte[] encodeBatch(Messages messages) {
    return BATCHES.encode(messages.batch);
  }

  @Benchmark
  public Batch decodeBatch(Messages messages) {
    return BATCHES.decode(ByteBuffer.wrap(messages.batchBytes));
  }

  @Benchmark
  public byte[] encodeReply(Messages messages) {
    return REPLIES.encode(messages.reply);
  }

  @Benchmark
  public BatchReply decodeReply(Messages messages) {
    return REPLIES.decode(ByteBuffer.wrap(messages.replyBytes));
  }
}
