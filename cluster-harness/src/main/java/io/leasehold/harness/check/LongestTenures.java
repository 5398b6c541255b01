package io.leasehold.harness.check;

import io.leasehold.harness.check.history.Handle;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Answers, for any instant and holder, which tenure of somebody else that began by then lasts
 * longest. Keeps for each prefix of the tenures the two longest of different holders, since at most
 * one of them is the asker's own. Immutable.
 */
final class LongestTenures {

  private final List<Tenure> tenures;
  private final @Nullable Tenure[] longest;
  private final @Nullable Tenure[] longestOfOthers;

  /**
   * @param tenures in the order of their beginnings
   * @param end when a tenure is taken to end
   */
  LongestTenures(List<Tenure> tenures, ToLongFunction<Tenure> end) {
    this.tenures = tenures;
    longest = new Tenure[tenures.size()];
    longestOfOthers = new Tenure[tenures.size()];
    Tenure first = null;
    Tenure second = null;
    for (int i = 0; i < tenures.size(); i++) {
      Tenure next = tenures.get(i);
      if (first == null || end.applyAsLong(next) > end.applyAsLong(first)) {
        if (first != null && !first.holder().equals(next.holder())) {
          second = first;
        }
        first = next;
      } else if (!next.holder().equals(first.holder())
          && (second == null || end.applyAsLong(next) > end.applyAsLong(second))) {
        second = next;
      }
      longest[i] = first;
      longestOfOthers[i] = second;
    }
  }

  /** The one that began at or before an instant, is not the asker's, and ends last. */
  @Nullable Tenure begunBy(long instant, Handle asker) {
    int low = 0;
    int high = tenures.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tenures.get(middle).from() > instant) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (low == 0) {
      return null;
    }
    Tenure first = longest[low - 1];
    return first != null && first.holder().equals(asker) ? longestOfOthers[low - 1] : first;
  }
}
