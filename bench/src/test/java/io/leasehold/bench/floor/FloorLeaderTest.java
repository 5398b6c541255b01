package io.leasehold.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.bench.floor.FloorRequest.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
final class FloorLeaderTest {

  private final ManualReplication replication = new ManualReplication();

  @Test
  void whatIsAskedWhileABatchIsUnderWayGoesTogetherAsTheNext() throws InterruptedException {
    try (FloorLeader leader = FloorLeader.start(replication)) {
      CompletableFuture<Boolean> first = leader.ask(Kind.ACQUIRE, "one", "a");
      byte[] alone = replication.take();
      CompletableFuture<Boolean> second = leader.ask(Kind.ACQUIRE, "two", "b");
      CompletableFuture<Boolean> third = leader.ask(Kind.ACQUIRE, "three", "c");
      replication.keep();
      byte[] together = replication.take();
      replication.keep();

      assertThat(first.join()).isTrue();
      assertThat(second.join()).isTrue();
      assertThat(third.join()).isTrue();
      assertThat(alone).isEqualTo(frame("one", "a"));
      assertThat(together).isEqualTo(frame("two", "b", "three", "c"));
    }
  }

  @Test
  void nobodyIsAnsweredBeforeItsBatchIsKept() throws InterruptedException {
    try (FloorLeader leader = FloorLeader.start(replication)) {
      CompletableFuture<Boolean> acquire = leader.ask(Kind.ACQUIRE, "one", "a");
      byte[] unused = replication.take();

      assertThat(acquire).isNotDone();
      replication.keep();
      assertThat(acquire.join()).isTrue();
    }
  }

  @Test
  void onlyOneHasALeaseAndThoseWhoWaitGetItInOrder() {
    replication.keepEverything();
    try (FloorLeader leader = FloorLeader.start(replication)) {
      assertThat(leader.ask(Kind.ACQUIRE, "one", "a").join()).isTrue();
      assertThat(leader.ask(Kind.ACQUIRE, "one", "b").join()).isFalse();
      CompletableFuture<Boolean> b = leader.ask(Kind.ACQUIRE_OR_WAIT, "one", "b");
      CompletableFuture<Boolean> c = leader.ask(Kind.ACQUIRE_OR_WAIT, "one", "c");

      assertThat(leader.ask(Kind.RELEASE, "one", "c").join()).isFalse();
      assertThat(b).isNotDone();
      assertThat(leader.ask(Kind.RELEASE, "one", "a").join()).isTrue();
      assertThat(b.join()).isTrue();
      assertThat(c).isNotDone();
      assertThat(leader.ask(Kind.RELEASE, "one", "b").join()).isTrue();
      assertThat(c.join()).isTrue();
    }
  }

  @Test
  void whoAsksAfterAFaultIsToldAtOnce() {
    replication.failWith(new IOException("the disk is full"));
    try (FloorLeader leader = FloorLeader.start(replication)) {
      assertThatThrownBy(() -> leader.ask(Kind.ACQUIRE, "one", "a").join())
          .hasRootCauseMessage("the disk is full");
      assertThatThrownBy(() -> leader.ask(Kind.ACQUIRE, "one", "a").join())
          .hasRootCauseMessage("the disk is full");
    }
  }

  private static byte[] frame(String... leasesAndOwners) {
    ByteBuffer bytes = ByteBuffer.allocate(FloorLeader.FRAME_BYTES_MAX);
    bytes.putInt(0);
    for (int i = 0; i < leasesAndOwners.length; i += 2) {
      new FloorRequest(
              Kind.ACQUIRE,
              leasesAndOwners[i],
              leasesAndOwners[i + 1],
              new CompletableFuture<Boolean>())
          .writeTo(bytes);
    }
    bytes.putInt(0, bytes.position() - Integer.BYTES);
    byte[] frame = new byte[bytes.flip().remaining()];
    bytes.get(frame);
    return frame;
  }

  /** Keeps a batch when the test says so. */
  private static final class ManualReplication implements FloorReplication {

    private final BlockingQueue<byte[]> batches = new LinkedBlockingQueue<>();
    private final BlockingQueue<Boolean> keeps = new LinkedBlockingQueue<>();
    private volatile boolean everything;
    private volatile @Nullable IOException fault;

    byte[] take() throws InterruptedException {
      byte[] batch = batches.poll(10, TimeUnit.SECONDS);
      if (batch == null) {
        throw new AssertionError("no batch has come");
      }
      return batch;
    }

    void keep() {
      keeps.add(true);
    }

    void keepEverything() {
      everything = true;
    }

    void failWith(IOException failure) {
      fault = failure;
    }

    @Override
    public void replicate(ByteBuffer frame) throws IOException {
      IOException failure = fault;
      if (failure != null) {
        throw failure;
      }
      byte[] bytes = new byte[frame.remaining()];
      frame.get(bytes);
      batches.add(bytes);
      if (!everything) {
        try {
          boolean unused = keeps.take();
        } catch (InterruptedException e) {
          throw new IOException("closed", e);
        }
      }
    }

    @Override
    public void close() {}
  }
}
