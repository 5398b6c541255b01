package io.leasehold.store.ratis;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Who the members are, as far as this node knows, and the ways to them: before there is a group
 * those that it was started with, then those of the group. Above it a member is its name, below it
 * a peer. Safe for many threads.
 */
final class Roster implements AutoCloseable {

  private final StoreConfig config;
  private final RaftPeerId self;
  private final Function<RaftPeer, String> addressOf;
  private final Function<Member, MemberLink> connect;
  private volatile Content content;

  /** The links are made and closed by one at a time. */
  private final Object lock = new Object();

  private boolean closed;

  private @Nullable RaftConfiguration configuration;

  /**
   * A member.
   *
   * @param peer who that is to Ratis
   * @param votes whether it counts for a majority
   */
  private record Entry(Member member, RaftPeerId peer, boolean votes) {}

  /**
   * @param isGroup whether these are the members of the group
   * @param entries by their names, in order
   * @param links to all but this node
   */
  private record Content(
      boolean isGroup, Map<String, Entry> entries, Map<String, MemberLink> links) {}

  /**
   * @param self this node
   * @param addressOf says where a member of the group is
   * @param connect makes the way to a member
   */
  Roster(
      StoreConfig config,
      RaftPeerId self,
      Function<RaftPeer, String> addressOf,
      Function<Member, MemberLink> connect) {
    this.config = config;
    this.self = self;
    this.addressOf = addressOf;
    this.connect = connect;
    this.content = new Content(false, Map.of(), Map.of());
    set(
        false,
        config.members().stream()
            .map(member -> new Entry(member, RaftPeerId.valueOf(member.id()), true))
            .toList());
  }

  /**
   * Takes over who is in the group, while it changes also who was in it before.
   *
   * @param outside whether this node is in it only to be sent its log
   * @return whether that is new
   */
  boolean update(RaftConfiguration group, boolean outside) {
    synchronized (lock) {
      if (group.equals(configuration)) {
        return false;
      }
      configuration = group;
    }
    List<Entry> entries = entries(group);
    if (outside) {
      entries.removeIf(entry -> entry.peer().equals(self));
    }
    set(true, entries);
    return true;
  }

  /** All who are in a group, and while it changes also those who were in it before. */
  List<Member> membersOf(RaftConfiguration group) {
    return entries(group).stream().map(Entry::member).toList();
  }

  private List<Entry> entries(RaftConfiguration group) {
    List<Entry> entries = new ArrayList<>();
    // Who comes later replaces one of the same name.
    entries.addAll(entries(group.getPreviousPeers(RaftPeerRole.LISTENER), false));
    entries.addAll(entries(group.getPreviousPeers(RaftPeerRole.FOLLOWER), true));
    entries.addAll(entries(group.getCurrentPeers(RaftPeerRole.LISTENER), false));
    entries.addAll(entries(group.getCurrentPeers(RaftPeerRole.FOLLOWER), true));
    return entries;
  }

  private List<Entry> entries(Collection<RaftPeer> peers, boolean vote) {
    return peers.stream().map(peer -> new Entry(member(peer), peer.getId(), vote)).toList();
  }

  private Member member(RaftPeer peer) {
    return Member.parse(PeerIdentity.nameOf(peer.getId()) + "=" + addressOf.apply(peer));
  }

  private void set(boolean isGroup, List<Entry> entries) {
    Map<String, Entry> byName = new TreeMap<>();
    entries.forEach(entry -> byName.put(entry.member().id(), entry));
    List<MemberLink> unused = new ArrayList<>();
    synchronized (lock) {
      Map<String, MemberLink> links = new HashMap<>();
      Map<String, MemberLink> before = new HashMap<>(content.links());
      for (Entry entry : byName.values()) {
        Member member = entry.member();
        if (member.id().equals(config.nodeId())) {
          continue;
        }
        MemberLink link = before.get(member.id());
        if (link != null && link.member().equals(member)) {
          before.remove(member.id());
        } else {
          link = connect.apply(member);
          if (closed) {
            link.close();
          }
        }
        links.put(member.id(), link);
      }
      unused.addAll(before.values());
      content = new Content(isGroup, byName, Map.copyOf(links));
    }
    unused.forEach(MemberLink::close);
  }

  /** Whether this node is in the group. */
  boolean isMember() {
    Content now = content;
    Entry own = now.entries().get(config.nodeId());
    return now.isGroup() && own != null && own.peer().equals(self);
  }

  /** All members by their names; this node too, if it is one. */
  List<Member> members() {
    return content.entries().values().stream().map(Entry::member).toList();
  }

  /** The members that count for a majority, by their names. */
  List<Member> voters() {
    return content.entries().values().stream().filter(Entry::votes).map(Entry::member).toList();
  }

  /** The names of those that do not, in order. */
  List<String> listeners() {
    return content.entries().values().stream()
        .filter(entry -> !entry.votes())
        .map(entry -> entry.member().id())
        .toList();
  }

  /** Returns the way to a member; empty for this node, and for a name that no member has. */
  Optional<MemberLink> link(String name) {
    return Optional.ofNullable(content.links().get(name));
  }

  /** The names of the other members, in order. */
  List<String> others() {
    return content.links().keySet().stream().sorted().toList();
  }

  /** The ways to all other members, by their names. */
  Map<String, MemberLink> links() {
    return content.links();
  }

  /** Returns who a member is to Ratis. */
  RaftPeerId peer(String name) {
    Entry entry = content.entries().get(name);
    if (name.equals(config.nodeId())) {
      return self;
    }
    return entry == null ? RaftPeerId.valueOf(name) : entry.peer();
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    content.links().values().forEach(MemberLink::close);
  }
}
