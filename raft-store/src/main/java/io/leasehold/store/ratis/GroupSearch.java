package io.leasehold.store.ratis;

import io.leasehold.store.StoreConfig;
import io.leasehold.time.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the members that a node was started with who they are, again and again, until {@link
 * Founding} says which group it is in. Safe for many threads.
 */
final class GroupSearch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(GroupSearch.class);

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final StoreConfig config;
  private final RaftPeerId self;
  private final Roster roster;
  private final Timer timer;
  private volatile String waitsFor = "it asks the other members whether the cluster has begun";
  private volatile boolean closed;

  /** Is told of the group, once. */
  interface Found {

    /**
     * Takes part in it.
     *
     * @param founds whether it begins with this node
     */
    void enter(RaftGroup group, boolean founds) throws IOException;

    /** That has failed. */
    void failed(Exception cause);
  }

  GroupSearch(StoreConfig config, RaftPeerId self, Roster roster, Timer timer) {
    this.config = config;
    this.self = self;
    this.roster = roster;
    this.timer = timer;
  }

  /** Why there is no group yet, in a sentence. */
  String waitsFor() {
    return waitsFor;
  }

  /**
   * Begins; whoever is alone has a group when this returns.
   *
   * @param found is told
   */
  void start(Found found) throws IOException {
    if (roster.others().isEmpty() && !config.listener()) {
      Founding.Step step = Founding.next(self, config.members(), Map.of());
      if (step instanceof Founding.Enter enter) {
        found.enter(enter.group(), enter.founds());
      }
    } else {
      ask(found);
    }
  }

  private void ask(Found found) {
    Map<String, Introduction> answers = new ConcurrentHashMap<>();
    CompletableFuture<?>[] questions =
        roster.links().values().stream()
            .map(
                link ->
                    link.introduce(ANSWER_LIMIT)
                        .thenAccept(answer -> answers.put(link.member().id(), answer))
                        .exceptionally(
                            failure -> {
                              LOG.debug("{} does not say who it is", link.member().id(), failure);
                              return null;
                            }))
            .toArray(CompletableFuture[]::new);
    var unused =
        CompletableFuture.allOf(questions)
            .thenRun(() -> decide(Map.copyOf(answers), found))
            .exceptionally(
                failure -> {
                  LOG.error("node {} cannot tell which group it is in", config.nodeId(), failure);
                  again(found);
                  return null;
                });
  }

  private void decide(Map<String, Introduction> answers, Found found) {
    if (closed) {
      return;
    }
    Founding.Step step = Founding.next(self, config.members(), answers);
    if (config.listener() && step instanceof Founding.Enter enter && enter.founds()) {
      step = new Founding.Wait("a listener cannot begin a cluster: start the members that vote");
    }
    if (step instanceof Founding.Enter enter) {
      // Elsewhere, for it is written down, and this is a thread of the connections.
      new Thread(() -> enter(enter, found), "leasehold-" + config.nodeId() + "-enter").start();
    } else if (step instanceof Founding.Wait wait) {
      if (!wait.why().equals(waitsFor)) {
        waitsFor = wait.why();
        LOG.info("node {} waits: {}", config.nodeId(), waitsFor);
      }
      again(found);
    }
  }

  private void again(Found found) {
    if (!closed) {
      var unused = timer.schedule(PAUSE, () -> ask(found));
    }
  }

  private static void enter(Founding.Enter step, Found found) {
    try {
      found.enter(step.group(), step.founds());
    } catch (IOException | RuntimeException e) {
      found.failed(e);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
