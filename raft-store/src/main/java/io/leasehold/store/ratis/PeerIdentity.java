package io.leasehold.store.ratis;

import static java.util.stream.Collectors.joining;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Who a member is to the others, which is more than its name: {@code n1@} and what is its folder's
 * own. A member that has lost its folder has forgotten what it voted for and acknowledged, so with
 * another folder it is somebody else, who has to be taken in first (Ongaro's dissertation, section
 * 3.8: a server that loses its state cannot safely come back as who it was).
 *
 * <p>Folders of before have the name alone.
 *
 * @param name the member's name
 * @param cluster short for the cluster that it was made for; empty if that is not known
 * @param beginning short for what its cluster was to begin with: which members, which backup
 * @param incarnation which folder of that member
 */
record PeerIdentity(String name, String cluster, String beginning, String incarnation) {

  private static final Pattern FORM =
      Pattern.compile(
          "(?<name>[^@]+)@(?<cluster>[0-9a-f]{4})(?<beginning>[0-9a-f]{4})(?<incarnation>[0-9a-f]{12})");

  /**
   * Makes one for a new folder.
   *
   * @param backup names the backup that its cluster begins with; empty if it begins with nothing
   * @param random says which folder
   */
  static PeerIdentity create(StoreConfig config, String backup, UUID random) {
    return new PeerIdentity(
        config.nodeId(),
        shortOf(config.cluster()),
        shortOf(
            config.members().stream().map(Member::id).sorted().collect(joining(","))
                + ":"
                + backup),
        String.format(Locale.ROOT, "%016x", random.getLeastSignificantBits()).substring(4));
  }

  /** Reads one that a peer has. */
  static PeerIdentity of(RaftPeerId peer) {
    String text = peer.toString();
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? new PeerIdentity(
            matcher.group("name"),
            matcher.group("cluster"),
            matcher.group("beginning"),
            matcher.group("incarnation"))
        : new PeerIdentity(text, "", "", "");
  }

  /** The name of the member that a peer is. */
  static String nameOf(RaftPeerId peer) {
    return of(peer).name();
  }

  RaftPeerId peer() {
    return RaftPeerId.valueOf(
        incarnation.isEmpty() ? name : name + "@" + cluster + beginning + incarnation);
  }

  /** Whether both may be of one cluster. */
  boolean isNear(PeerIdentity other) {
    return cluster.isEmpty() || other.cluster.isEmpty() || cluster.equals(other.cluster);
  }

  private static String shortOf(String text) {
    UUID hash = UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    return hash.toString().substring(0, 4);
  }
}
