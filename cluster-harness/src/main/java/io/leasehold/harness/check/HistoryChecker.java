package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent;
import io.leasehold.harness.check.history.HistoryHeader;
import io.leasehold.harness.check.history.UnreadableHistoryException;
import java.nio.file.Path;
import java.util.List;

/**
 * Judges recorded histories, of this run or of yesterday's. Knows nothing of how a history came
 * about.
 */
public final class HistoryChecker {

  private static final List<Check> CHECKS =
      List.of(
          new WellFormed(),
          new Exclusion(),
          new TokenOrder(),
          new TokenIdentity(),
          new EarlyTakeover(),
          new Latch(),
          new SilenceAfterRelease(),
          new HonestRefusals(),
          new TracelessFailures(),
          new ReplicaDigests(),
          new LeaseTime(),
          new LossesTold(),
          new LossesHaveCauses(),
          new ObservedOrder(),
          new Durability(),
          new PromptTurnover(),
          new FencedWrites(),
          new SingletonTasks(),
          new QueueOrder(),
          new Linearizability(),
          new Recovery());

  private HistoryChecker() {}

  /** Judges a file. */
  public static Judgement check(Path file) throws UnreadableHistoryException {
    return judge(HistoryIndex.read(file));
  }

  /** Judges events that are at hand. */
  public static Judgement check(HistoryHeader header, List<HistoryEvent> events) {
    return judge(HistoryIndex.of(header, events));
  }

  private static Judgement judge(History history) {
    Findings findings = new Findings();
    for (Check check : CHECKS) {
      check.judge(history, findings);
    }
    return new Judgement(history, Verdict.of(history, findings));
  }
}
