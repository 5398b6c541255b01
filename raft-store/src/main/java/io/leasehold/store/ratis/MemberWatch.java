package io.leasehold.store.ratis;

import io.leasehold.time.DurationText;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * What is wrong with the other members, as far as this one can tell: whoever serves can say so of
 * those that cannot. All members ask each other who they are now and then; a leader also knows how
 * far the others are. Safe for many threads.
 */
final class MemberWatch {

  /** Two questions in a row have gone unanswered. */
  static final Duration SILENCE_MAX = Duration.ofSeconds(11);

  /** What a member applies in a second or two: who is further behind has missed more than that. */
  static final long ENTRIES_BEHIND_MAX = 10_000;

  /** Before that a leader may not know yet how far the others are. */
  private static final Duration SETTLING = Duration.ofSeconds(5);

  private final Ticker ticker;
  private final Function<String, RaftPeerId> peers;
  private final Map<String, Heard> heard = new ConcurrentHashMap<>();

  /**
   * What a member has said last.
   *
   * @param nanos when; or when it was asked first, if it has never answered
   * @param wrong what is wrong with that
   */
  private record Heard(long nanos, Optional<String> wrong) {}

  /**
   * @param peers says who a member is to Ratis
   */
  MemberWatch(Ticker ticker, Function<String, RaftPeerId> peers) {
    this.ticker = ticker;
    this.peers = peers;
  }

  /** All other members are being asked; whoever is none any more is forgotten. */
  void asked(Collection<String> members) {
    heard.keySet().retainAll(members);
    Heard nothing = new Heard(ticker.nanos(), Optional.empty());
    members.forEach(member -> heard.putIfAbsent(member, nothing));
  }

  /**
   * A member has answered.
   *
   * @param group the one that this node is in
   */
  void answered(String member, Introduction answer, RaftGroupId group) {
    heard.replace(member, new Heard(ticker.nanos(), wrong(member, answer, group)));
  }

  private Optional<String> wrong(String member, Introduction answer, RaftGroupId group) {
    Optional<RaftGroupId> its = answer.group().map(RaftGroup::getGroupId);
    if (its.isPresent() && !its.get().equals(group)) {
      return Optional.of("belongs to another cluster: start it with this one's folder and members");
    } else if (!answer.peer().equals(peers.apply(member))) {
      return Optional.of(
          "waits, with a folder that is not this member's: give it that folder back, or have it added in the member's place (README, A lost disk)");
    } else if (its.isEmpty()) {
      return Optional.of("is not in the cluster yet: its own status says what it waits for");
    }
    return Optional.empty();
  }

  /**
   * Returns what is wrong, and what to do, by the members' names.
   *
   * @param lead what this node knows if it leads
   * @param lastIndex the last entry of its log
   */
  Map<String, String> warnings(Optional<Lead> lead, long lastIndex) {
    Map<String, String> warnings = new TreeMap<>();
    lead.filter(known -> known.lasts().compareTo(SETTLING) >= 0)
        .ifPresent(
            known ->
                known.followers().stream()
                    .filter(follower -> heard.containsKey(follower.id()))
                    .filter(follower -> lastIndex - follower.matchIndex() > ENTRIES_BEHIND_MAX)
                    .forEach(
                        follower ->
                            warnings.put(
                                follower.id(), behind(lastIndex - follower.matchIndex()))));
    long now = ticker.nanos();
    heard.forEach(
        (member, last) -> {
          Duration silence = Duration.ofNanos(now - last.nanos());
          if (silence.compareTo(SILENCE_MAX) >= 0) {
            warnings.put(member, silent(silence));
          } else {
            last.wrong().ifPresent(wrong -> warnings.put(member, wrong));
          }
        });
    return warnings;
  }

  private static String silent(Duration silence) {
    return "has not answered for %s: see that it runs and can be reached"
        .formatted(DurationText.of(Duration.ofSeconds(silence.toSeconds())));
  }

  /** Of this member or another one. */
  static String behind(long entries) {
    return "is %d log entries behind: it catches up by itself; if that does not shrink, see to its disk and network"
        .formatted(entries);
  }
}
