package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.store.Member;
import io.leasehold.store.StoreStatus;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What is said of a node, and when a majority is asked for that. */
final class HealthCheckTest {

  private static final Duration LIMIT = Duration.ofMillis(1_500);

  private final VirtualTime time = new VirtualTime();
  private final List<CompletableFuture<String>> questions = new ArrayList<>();
  private StoreStatus status = with(Optional.of("n2"), Optional.empty(), Optional.empty());
  private final HealthCheck check = new HealthCheck(() -> status, this::ask, time, LIMIT);

  private CompletableFuture<String> ask() {
    CompletableFuture<String> question = new CompletableFuture<>();
    questions.add(question);
    return question;
  }

  private static StoreStatus with(
      Optional<String> leader, Optional<String> waitsFor, Optional<String> failure) {
    return with(leader, waitsFor, Optional.empty(), Map.of(), failure);
  }

  private static StoreStatus with(
      Optional<String> leader,
      Optional<String> waitsFor,
      Optional<String> warning,
      Map<String, String> memberWarnings,
      Optional<String> failure) {
    return new StoreStatus(
        "n1",
        StoreStatus.Role.FOLLOWER,
        leader,
        3,
        17,
        0,
        Member.parseAll("n1=127.0.0.1:7101,n2=127.0.0.1:7102,n3=127.0.0.1:7103"),
        List.of(),
        waitsFor,
        warning,
        memberWarnings,
        failure);
  }

  private static NodeHealth result(CompletionStage<NodeHealth> health) {
    assertThat(health.toCompletableFuture()).isDone();
    return health.toCompletableFuture().join();
  }

  /** A majority answers. */
  private NodeHealth answered() {
    CompletionStage<NodeHealth> health = check.look();
    questions.get(questions.size() - 1).complete("free");
    return result(health);
  }

  private void assertNotServing(NodeHealth health, String reason) {
    assertThat(health.state()).isEqualTo(NodeHealth.State.NOT_SERVING);
    assertThat(health.serves()).isFalse();
    assertThat(health.reason()).isEqualTo(reason);
  }

  @Test
  void nodeThatAMajorityAnswersIsReady() {
    assertThat(answered()).isEqualTo(new NodeHealth(NodeHealth.State.READY, List.of(), status));
  }

  @Test
  void whatIsWrongHereAndElsewhereIsSaidWhileItServes() {
    status =
        with(
            Optional.of("n2"),
            Optional.empty(),
            Optional.of("the disk is slow"),
            Map.of("n3", "has not answered for 12 s: see to it"),
            Optional.empty());

    NodeHealth health = answered();

    assertThat(health.state()).isEqualTo(NodeHealth.State.DEGRADED);
    assertThat(health.serves()).isTrue();
    assertThat(health.needsRestart()).isFalse();
    assertThat(health.reason())
        .isEqualTo("the disk is slow; member n3 has not answered for 12 s: see to it");
  }

  @Test
  void nodeThatKnowsWhyItDoesNotServeAsksNobody() {
    status = with(Optional.of("n2"), Optional.of("add it elsewhere"), Optional.empty());
    assertNotServing(result(check.look()), "this node does not serve yet: add it elsewhere");
    status = with(Optional.empty(), Optional.empty(), Optional.empty());
    assertNotServing(
        result(check.look()),
        "no leader is known: n1 waits for a majority of its 3 members; see that they run and can be reached");

    assertThat(questions).isEmpty();
  }

  @Test
  void onlyANodeThatHasEndedForGoodNeedsARestart() {
    status = with(Optional.empty(), Optional.empty(), Optional.of("the disk is full"));
    NodeHealth ended = result(check.look());
    assertNotServing(ended, "this node does not serve any more: the disk is full");
    assertThat(ended.needsRestart()).isTrue();

    status = with(Optional.empty(), Optional.empty(), Optional.empty());
    assertThat(result(check.look()).needsRestart()).as("without a majority").isFalse();
  }

  /** It knows a leader still, or takes itself for it. */
  @Test
  void nodeThatWasCutOffDoesNotServe() {
    CompletionStage<NodeHealth> health = check.look();
    time.advance(LIMIT.minusNanos(1));
    assertThat(health.toCompletableFuture()).isNotDone();
    time.advance(Duration.ofNanos(1));

    assertNotServing(
        result(health),
        "no majority has answered within 1500 ms: see that most members run and can be reached");
  }

  @Test
  void whyAQuestionFailsIsTheReason() {
    CompletionStage<NodeHealth> health = check.look();
    questions.get(0).completeExceptionally(new IllegalStateException("no answer: too much to do"));

    assertNotServing(result(health), "no answer: too much to do");
  }

  @Test
  void manyWhoAskShareOneQuestionWhileItIsUnderWay() {
    List<CompletionStage<NodeHealth>> asked = List.of(check.look(), check.look(), check.look());
    assertThat(questions).hasSize(1);
    questions.get(0).complete("free");

    assertThat(asked).allSatisfy(health -> assertThat(result(health).serves()).isTrue());
    CompletionStage<NodeHealth> unused = check.look();
    assertThat(questions).as("an answer is none to who asks later").hasSize(2);
  }

  /** It may have lost its leader while the question was under way. */
  @Test
  void whatIsKnownWhenTheAnswerComesCounts() {
    CompletionStage<NodeHealth> health = check.look();
    status = with(Optional.empty(), Optional.empty(), Optional.of("the node is closed"));
    questions.get(0).complete("free");

    assertNotServing(result(health), "this node does not serve any more: the node is closed");
  }

  @Test
  void allButReadyHasAReason() {
    assertThatThrownBy(() -> new NodeHealth(NodeHealth.State.DEGRADED, List.of(), status))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new NodeHealth(NodeHealth.State.READY, List.of("slow"), status))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
