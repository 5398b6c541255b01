package io.leasehold.harness.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.leasehold.concurrent.Strand;
import io.leasehold.harness.shards.ShardCoordinator.State;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One coordinator with token 10; the regions of n1 and n2 hold their leases unless said otherwise.
 */
final class ShardCoordinatorTest {

  private static final Duration TTL = Duration.ofSeconds(8);
  private static final ShardSettings SETTINGS = new ShardSettings(List.of("n1", "n2"), TTL);

  private final VirtualTime time = new VirtualTime();
  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
  private final FakePeers peers = new FakePeers();
  private final FakeHold hold = new FakeHold(10);
  private final List<ShardEvent> events = new ArrayList<>();
  private final Strand strand = new Strand();
  private final ShardCoordinator coordinator =
      new ShardCoordinator(
          peers,
          new Survey(SETTINGS, peers, cluster.node("n3").inspector(), time, strand),
          strand,
          new ShardLog("n3", time, events::add));

  private RegionId region1 = new RegionId("n1", 0);
  private RegionId region2 = new RegionId("n2", 0);

  @BeforeEach
  void startRegions() {
    region1 = startRegion("n1");
    region2 = startRegion("n2");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private RegionId startRegion(String node) {
    var lease = cluster.node(node).lease(SETTINGS.regionLease(node).withAcquireRetries(1));
    assertThat(lease.acquire().toCompletableFuture()).isCompletedWithValue(true);
    RegionId region = new RegionId(node, lease.fencingToken().orElseThrow());
    peers.hasRegion(region);
    return region;
  }

  private void killRegion(String node) {
    cluster.crash(node);
    peers.isSilent(node);
    time.advance(TTL);
  }

  private void begin() {
    strand.execute(() -> coordinator.begin(hold));
  }

  private CompletableFuture<Allocation> request(String shard) {
    ShardRequest request = ShardRequest.of(shard);
    strand.execute(() -> coordinator.receive(request));
    return request.answer();
  }

  private void ask(String... forShards) {
    for (String shard : forShards) {
      var unusedAnswer = request(shard);
    }
  }

  private static void assertRejected(CompletableFuture<Allocation> answer, String why) {
    assertThat(answer)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(RequestRejectedException.class)
        .withMessageContaining(why);
  }

  // --- acquiring

  @Test
  void buffersWhileItAcquiresAndAnswersInTheEnd() {
    CompletableFuture<Allocation> answer = request("s");
    assertThat(coordinator.state()).isEqualTo(State.ACQUIRING);
    assertThat(answer).isNotDone();

    begin();
    peers.answer(Verdict.ACCEPTED);

    assertThat(coordinator.state()).isEqualTo(State.SERVING);
    assertThat(answer).isCompletedWithValue(new Allocation("s", region1, 10));
  }

  @Test
  void requestBeyondTheLimitOfTheBufferIsRejectedAtOnce() {
    List<CompletableFuture<Allocation>> fit =
        IntStream.range(0, 1_000).mapToObj(i -> request("s" + i)).toList();

    assertRejected(request("one too many"), "buffer is full");

    assertThat(fit).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void bufferIsHandedOnOnceWhenAnotherNodeCoordinates() {
    ShardRequest request = ShardRequest.of("s");
    coordinator.receive(request);

    assertThat(coordinator.yieldBuffered()).containsExactly(request);

    assertThat(coordinator.yieldBuffered()).isEmpty();
    begin();
    assertThat(request.answer()).isNotDone();
  }

  @Test
  void newsOfAnOlderCoordinatorDoNotDisturbOneThatHasBegun() {
    peers.isSilent("n2");
    begin();
    CompletableFuture<Allocation> answer = request("s");

    assertThat(coordinator.yieldBuffered()).isEmpty();

    assertThat(answer).isNotDone();
  }

  @Test
  void whatRegionsHaveAlreadyStaysThere() {
    Allocation older = new Allocation("s", region2, 3);
    peers.hasRegion(region2, older);
    begin();

    assertThat(request("s")).isCompletedWithValue(older);
    assertThat(peers.allocations()).isEmpty();
  }

  @Test
  void regionThatIsSilentButAliveIsWaitedFor() {
    peers.isSilent("n2");
    begin();

    time.advance(TTL.multipliedBy(5));
    assertThat(coordinator.state()).isEqualTo(State.ACQUIRING);
    peers.hasRegion(region2);
    time.advance(SETTINGS.interval());

    assertThat(coordinator.state()).isEqualTo(State.SERVING);
  }

  @Test
  void regionThatIsDeadIsNotWaitedFor() {
    peers.isSilent("n2");
    begin();

    cluster.crash("n2");
    time.advance(TTL.multipliedBy(2));

    assertThat(coordinator.state()).isEqualTo(State.SERVING);
  }

  // --- serving

  @Test
  void shardsGoToTheRegionThatHasTheFewest() {
    peers.hasRegion(region1, new Allocation("a", region1, 3), new Allocation("b", region1, 3));
    begin();

    ask("c", "d", "e", "f");

    assertThat(peers.allocations())
        .extracting(allocation -> allocation.region().node())
        .containsExactly("n2", "n2", "n1", "n2");
  }

  @Test
  void requestsForOneShardAreOneAllocation() {
    begin();
    CompletableFuture<Allocation> first = request("s");
    CompletableFuture<Allocation> second = request("s");
    assertThat(List.of(first, second)).noneMatch(CompletableFuture::isDone);
    peers.answer(Verdict.ACCEPTED);
    CompletableFuture<Allocation> third = request("s");

    assertThat(peers.allocations()).hasSize(1);
    assertThat(Stream.of(first, second, third).map(CompletableFuture::join).distinct())
        .containsExactly(new Allocation("s", region1, 10));
  }

  @Test
  void shardWhoseAllocationIsUnknownStaysWhereItMayBe() {
    begin();
    CompletableFuture<Allocation> first = request("s");
    peers.timeOut();
    assertRejected(first, "n1 does not answer");

    CompletableFuture<Allocation> second = request("s");
    peers.answer(Verdict.ACCEPTED);

    assertThat(second).isCompletedWithValue(new Allocation("s", region1, 10));
    assertThat(peers.allocations()).hasSize(2).containsOnly(second.join());
  }

  @Test
  void regionThatDoesNotAnswerGetsNothingMoreUntilItDoes() {
    begin();
    ask("s1");
    peers.timeOut();

    ask("s2", "s3");
    time.advance(SETTINGS.interval());
    ask("s4");

    assertThat(peers.allocations())
        .extracting(allocation -> allocation.region().node())
        .containsExactly("n1", "n2", "n2", "n1");
  }

  @Test
  void shardsOfARegionAreFreeOnceItsLeaseIs() {
    begin();
    ask("s");
    peers.answer(Verdict.ACCEPTED);

    killRegion("n1");
    CompletableFuture<Allocation> answer = request("s");
    peers.answer(Verdict.ACCEPTED);

    assertThat(answer).isCompletedWithValue(new Allocation("s", region2, 10));
  }

  @Test
  void newLifeOfARegionHasNothingOfTheOldOne() {
    begin();
    ask("s");
    peers.answer(Verdict.ACCEPTED);

    cluster.crash("n1");
    time.advance(TTL);
    RegionId again = startRegion("n1");
    time.advance(SETTINGS.interval());
    ask("s");

    assertThat(peers.allocations())
        .containsExactly(new Allocation("s", region1, 10), new Allocation("s", again, 10));
  }

  @Test
  void regionThatDiesBeforeItAnswersHasItsRequestsRejected() {
    begin();
    CompletableFuture<Allocation> answer = request("s");
    killRegion("n1");

    peers.answer(Verdict.ACCEPTED);

    assertRejected(answer, "n1 has died");
  }

  @Test
  void requestsThatWaitForRegionsAreLimitedToo() {
    begin();
    List<CompletableFuture<Allocation>> fit =
        IntStream.range(0, 1_000).mapToObj(i -> request("s" + i)).toList();

    assertRejected(request("one too many"), "too many");

    assertThat(fit).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void withoutARegionRequestsAreRejected() {
    killRegion("n1");
    killRegion("n2");
    begin();

    assertRejected(request("s"), "no region answers");
  }

  // --- the end

  static Stream<Arguments> ends() {
    return Stream.of(
        argumentSet("it is cancelled", (Consumer<ShardCoordinatorTest>) test -> test.hold.cancel()),
        argumentSet(
            "its lease is lost, and nobody has told it yet",
            (Consumer<ShardCoordinatorTest>)
                test -> {
                  test.hold.lose();
                  assertRejected(test.request("another"), "ask the new one");
                }),
        argumentSet(
            "a region refuses an allocation for a newer one",
            (Consumer<ShardCoordinatorTest>) test -> test.peers.answer(Verdict.STALE)),
        argumentSet(
            "a region refuses to tell for a newer one",
            (Consumer<ShardCoordinatorTest>)
                test -> {
                  test.peers.says("n2", new RegionReport(Verdict.STALE, test.region2, List.of()));
                  test.time.advance(SETTINGS.interval());
                }));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void whatIsPendingIsRejectedAndNothingIsAllocatedAfter(Consumer<ShardCoordinatorTest> end) {
    begin();
    CompletableFuture<Allocation> pending = request("s");
    int told = peers.allocations().size();

    end.accept(this);

    assertThat(coordinator.state()).isEqualTo(State.STOPPED);
    assertRejected(pending, "ask the new one");
    peers.answer(Verdict.ACCEPTED);
    time.advance(TTL);
    assertRejected(request("t"), "ask the new one");
    assertThat(peers.allocations()).hasSize(told);
    assertThat(events)
        .extracting(ShardEvent::kind)
        .containsExactly(ShardEvent.Kind.BEGUN, ShardEvent.Kind.DECIDED, ShardEvent.Kind.ENDED);
  }

  @Test
  void bufferIsRejectedWhenTheLeaseIsLostBeforeItServes() {
    peers.isSilent("n2");
    begin();
    CompletableFuture<Allocation> answer = request("s");

    hold.cancel();

    assertRejected(answer, "ask the new one");
    assertThat(peers.allocations()).isEmpty();
  }
}
