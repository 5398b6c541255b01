package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Guarded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * S17: a resource that compares tokens never accepts a smaller one after a greater one, and counts
 * every accepted write exactly once.
 */
final class FencedWrites implements Check {

  @Override
  public void judge(History history, Findings findings) {
    Map<String, List<Guarded>> byResource = new HashMap<>();
    for (Guarded write : history.guarded()) {
      if (write.accepted()) {
        byResource.computeIfAbsent(write.resource(), none -> new ArrayList<>()).add(write);
      }
    }
    byResource.forEach((resource, writes) -> judge(writes, findings));
  }

  private static void judge(List<Guarded> writes, Findings findings) {
    findings.judged(Rule.S17, writes.size());
    writes.sort(Comparator.comparingLong(Guarded::value));
    Guarded before = null;
    for (Guarded write : writes) {
      if (before != null && write.value() == before.value()) {
        violated(findings, "two writes made the same count " + write.value(), before, write);
      } else if (before != null && write.token() < before.token()) {
        violated(findings, "an older token was accepted after a newer one", before, write);
      }
      before = write;
    }
  }

  private static void violated(Findings findings, String what, Guarded one, Guarded other) {
    findings.violated(Rule.S17, "", other.at(), what, List.of(evidence(one), evidence(other)));
  }

  private static Evidence evidence(Guarded write) {
    String text =
        "%s wrote %s with token %d: count %d %s"
            .formatted(
                write.node(),
                write.resource(),
                write.token(),
                write.value(),
                CallText.span(write.before(), write.at()));
    return new Evidence("write", write.node(), text, write.before(), write.at());
  }
}
