package io.leasehold.store.ratis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * What a leader knew at one moment.
 *
 * @param lasts how long it has led
 * @param followers the other members
 */
record Lead(Duration lasts, List<Follower> followers) {

  Lead {
    followers = List.copyOf(followers);
  }

  /**
   * Another member, as its leader knows it.
   *
   * @param votes whether it counts for a majority, and may lead
   * @param silence how long it has not answered
   * @param matchIndex how far its log is known to be the leader's
   */
  record Follower(String id, boolean votes, Duration silence, long matchIndex) {}

  /**
   * @param matchIndices in the order in which the role names the followers
   * @param voters the peers that count for a majority
   */
  static Lead of(RoleInfoProto role, long[] matchIndices, Predicate<RaftPeerId> voters) {
    List<ServerRpcProto> named = role.getLeaderInfo().getFollowerInfoList();
    List<Follower> followers = new ArrayList<>();
    for (int i = 0; i < named.size(); i++) {
      RaftPeerId peer = RaftPeerId.valueOf(named.get(i).getId().getId());
      followers.add(
          new Follower(
              PeerIdentity.nameOf(peer),
              voters.test(peer),
              Duration.ofMillis(named.get(i).getLastRpcElapsedTimeMs()),
              i < matchIndices.length ? matchIndices[i] : -1));
    }
    return new Lead(Duration.ofMillis(role.getRoleElapsedTimeMs()), followers);
  }

  /** How long it has not heard of a majority. */
  Duration silenceOfMajority() {
    List<Duration> sorted =
        followers.stream().filter(Follower::votes).map(Follower::silence).sorted().toList();
    // With itself, a leader of n + 1 members needs the (n + 1) / 2 others that answered last.
    int needed = (sorted.size() + 1) / 2;
    return needed == 0 ? Duration.ZERO : sorted.get(needed - 1);
  }

  /** The members that have not answered for so long; none before it has led as long itself. */
  List<String> silentFor(Duration atLeast) {
    if (lasts.compareTo(atLeast) < 0) {
      return List.of();
    }
    return followers.stream()
        .filter(follower -> follower.silence().compareTo(atLeast) >= 0)
        .map(Follower::id)
        .toList();
  }

  /**
   * The last entry that all of them have.
   *
   * @param heardWithin only members count that have answered as recently as this
   */
  long sharedIndex(Duration heardWithin) {
    return followers.stream()
        .filter(follower -> follower.silence().compareTo(heardWithin) <= 0)
        .mapToLong(Follower::matchIndex)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /**
   * The member that is to lead next, as it has the most of the log.
   *
   * @param heardWithin only a member that has answered as recently as this
   */
  Optional<String> heir(Duration heardWithin) {
    return heirBeyond(-1, heardWithin);
  }

  /**
   * The same, of those whose log is on disk beyond an index.
   *
   * @param heardWithin only a member that has answered as recently as this
   */
  Optional<String> heirBeyond(long index, Duration heardWithin) {
    return followers.stream()
        .filter(Follower::votes)
        .filter(follower -> follower.silence().compareTo(heardWithin) <= 0)
        .filter(follower -> follower.matchIndex() > index)
        .max(Comparator.comparingLong(Follower::matchIndex))
        .map(Follower::id);
  }
}
