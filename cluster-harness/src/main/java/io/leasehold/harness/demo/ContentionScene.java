package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.Patience;
import io.leasehold.harness.wire.AcquireAnswer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Three contenders ask at the same moment; the losers wait in line and are served in order. */
final class ContentionScene {

  private static final String LEASE = "printer";

  private final Stage stage;

  ContentionScene(Stage stage) {
    this.stage = stage;
  }

  /**
   * Plays it.
   *
   * @return who holds the lease in the end, on a node that does not lead, and who waits for it
   */
  Outcome play() {
    stage.scene("contention", "Three contenders, one winner");
    stage.say(
        "a on n1, b on n2 and c on n3 ask for the lease \"printer\" (time to live 3 s) at the"
            + " same moment.");
    long start = System.nanoTime();
    Map<String, AcquireAnswer> answers = askTogether();
    Duration took = Stage.since(start);

    List<String> winners =
        answers.keySet().stream().filter(id -> token(answers.get(id)) > 0).toList();
    String names = winners.stream().map(Stage::who).collect(Collectors.joining(", "));
    stage.promise(
        winners.size() == 1,
        "Exactly one of them has it: " + names,
        "all three were answered in " + Figures.of(took));
    if (winners.size() != 1) {
      throw new SceneFailedException("the contention had " + winners.size() + " winners");
    }
    String winner = winners.get(0);
    List<String> believers =
        stage.cluster().ids().stream().filter(id -> stage.isAlive(id, LEASE)).toList();
    stage.promise(
        believers.equals(winners),
        "checkAlive() is true for " + Stage.who(winner) + " and for nobody else",
        "");
    return handOver(winner, token(answers.get(winner)));
  }

  private Map<String, AcquireAnswer> askTogether() {
    Map<String, CompletableFuture<AcquireAnswer>> asked = new LinkedHashMap<>();
    for (String id : stage.cluster().ids()) {
      asked.put(id, stage.acquire(id, LEASE, Stage.TTL, Duration.ZERO));
    }
    Map<String, AcquireAnswer> answers = new LinkedHashMap<>();
    asked.forEach((id, answer) -> answers.put(id, NodeClient.await(answer)));
    return answers;
  }

  private Outcome handOver(String winner, long firstToken) {
    List<String> line = stage.leaderLast().stream().filter(id -> !id.equals(winner)).toList();
    String first = line.get(0);
    String second = line.get(1);
    var firstAnswer = enqueue(first, 1);
    var secondAnswer = enqueue(second, 2);
    stage.say(
        "%s and %s wait in line now, in this order. %s releases."
            .formatted(Stage.who(first), Stage.who(second), Stage.who(winner)));

    long start = System.nanoTime();
    boolean released = stage.release(winner, LEASE);
    AcquireAnswer granted = NodeClient.await(firstAnswer);
    Duration took = Stage.since(start);
    stage.promise(
        released && granted.acquired() && !secondAnswer.isDone(),
        "The release hands it to the first in line, " + Stage.who(first),
        "released and handed over in " + Figures.of(took));
    long secondToken = token(granted);
    stage.promise(
        secondToken > firstToken,
        "The fencing token has grown from %d to %d".formatted(firstToken, secondToken),
        "");
    return new Outcome(LEASE, first, second, secondToken, secondAnswer);
  }

  private CompletableFuture<AcquireAnswer> enqueue(String id, int place) {
    CompletableFuture<AcquireAnswer> answer =
        stage.acquire(id, LEASE, Stage.TTL, Duration.ofMinutes(1));
    Patience.until(
        "a place in line for " + Stage.who(id),
        Duration.ofSeconds(10),
        () ->
            NodeClient.await(stage.node(id).find(LEASE)).waiters() >= place
                ? Optional.of(true)
                : Optional.empty());
    return answer;
  }

  /** The token of a grant; 0 of a no. */
  private static long token(@Nullable AcquireAnswer answer) {
    return answer == null || answer.fencingToken() == null ? 0 : answer.fencingToken();
  }

  /**
   * How the scene ends.
   *
   * @param lease the lease
   * @param holder the node whose owner holds it
   * @param waiter the node whose owner waits for it
   * @param token the holder's
   * @param waiting what the waiter will be answered
   */
  record Outcome(
      String lease,
      String holder,
      String waiter,
      long token,
      CompletableFuture<AcquireAnswer> waiting) {}
}
