package io.leasehold.store.ratis;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * What a leader knew at one moment.
 *
 * @param lasts how long it has led
 * @param silences for each other member, how long it has not answered
 */
record Lead(Duration lasts, Map<String, Duration> silences) {

  Lead {
    silences = Map.copyOf(silences);
  }

  static Lead of(RoleInfoProto role) {
    Map<String, Duration> silences = new LinkedHashMap<>();
    for (ServerRpcProto follower : role.getLeaderInfo().getFollowerInfoList()) {
      silences.put(
          RaftPeerId.valueOf(follower.getId().getId()).toString(),
          Duration.ofMillis(follower.getLastRpcElapsedTimeMs()));
    }
    return new Lead(Duration.ofMillis(role.getRoleElapsedTimeMs()), silences);
  }

  /** How long it has not heard of a majority. */
  Duration silenceOfMajority() {
    List<Duration> sorted = silences.values().stream().sorted().toList();
    // With itself, a leader of n + 1 members needs the (n + 1) / 2 others that answered last.
    int needed = (sorted.size() + 1) / 2;
    return needed == 0 ? Duration.ZERO : sorted.get(needed - 1);
  }

  /** The members that have not answered for so long; none before it has led as long itself. */
  List<String> silentFor(Duration atLeast) {
    if (lasts.compareTo(atLeast) < 0) {
      return List.of();
    }
    return silences.entrySet().stream()
        .filter(member -> member.getValue().compareTo(atLeast) >= 0)
        .map(Map.Entry::getKey)
        .toList();
  }
}
