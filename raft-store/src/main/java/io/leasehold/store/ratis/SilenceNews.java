package io.leasehold.store.ratis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What a leader has to tell of members that fall silent and answer again, each time once. Confined
 * to the thread that asks.
 */
final class SilenceNews {

  /** Longer than a pause that nobody needs to hear of. */
  static final Duration SILENT = Duration.ofSeconds(3);

  private final TreeSet<String> silent = new TreeSet<>();

  /**
   * Something that has changed.
   *
   * @param text a sentence without an end
   * @param isGood whether nothing is to be done
   */
  record Item(String text, boolean isGood) {}

  /**
   * Returns what is new since the last time.
   *
   * @param lead what this node knows of the others; empty if it does not lead
   */
  List<Item> since(Optional<Lead> lead) {
    if (lead.isEmpty()) {
      silent.clear();
      return List.of();
    }
    List<String> members = lead.get().followers().stream().map(Lead.Follower::id).toList();
    List<String> now = lead.get().silentFor(SILENT);
    List<Item> news = new ArrayList<>();
    silent.removeIf(
        member -> {
          if (!members.contains(member)) {
            return true;
          } else if (now.contains(member)) {
            return false;
          }
          news.add(new Item(member + " answers again", true));
          return true;
        });
    for (String member : now) {
      if (silent.add(member)) {
        news.add(
            new Item(
                member
                    + " does not answer: see that it runs and can be reached; the others serve while they are a majority",
                false));
      }
    }
    return news;
  }
}
