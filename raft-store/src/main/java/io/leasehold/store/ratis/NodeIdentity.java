package io.leasehold.store.ratis;

import static java.util.stream.Collectors.joining;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.impl.ServerImplUtils;
import org.jspecify.annotations.Nullable;

/**
 * What {@code node.properties} says: whose folder it stands in, in which format, which group it is
 * of, and whether it has ever taken part in it. Safe for many threads.
 */
final class NodeIdentity {

  /** The format that this version writes, and the newest that it reads. */
  static final int FORMAT = 2;

  /** In which a member was its name and the group followed from the members' names. */
  private static final String FORMAT_OF_NAMES = "1";

  static final String FILE = "node.properties";

  /** Below the index of any entry, and not the one with which Ratis says that there is none. */
  private static final long NOT_LOGGED = Long.MIN_VALUE;

  private static final String PEER = "peer";
  private static final String GROUP = "group";
  private static final String PEERS = "peers";
  private static final String LISTENERS = "listeners";
  private static final String LISTED = "listed";
  private static final String BACKUP = "backup";
  private static final String TOKEN_FLOOR = "tokenFloor";

  private final Path root;
  private final StoreConfig config;
  private RaftPeerId peer;
  private Optional<RaftGroupId> group = Optional.empty();

  /** The members of the group that vote, as far as known, with the addresses they had last. */
  private List<RaftPeer> peers = List.of();

  /** Those that do not. */
  private List<RaftPeer> listeners = List.of();

  private Origin origin = Origin.NOTHING;
  private boolean joined;

  private NodeIdentity(Path root, StoreConfig config) {
    this.root = root;
    this.config = config;
    this.peer = newPeer("");
  }

  /**
   * What its cluster began with.
   *
   * @param backup names the backup; empty if it began with nothing
   * @param tokenFloor above what its tokens have to be; 0 if it began with nothing
   */
  record Origin(String backup, long tokenFloor) {

    static final Origin NOTHING = new Origin("", 0);
  }

  private RaftPeerId newPeer(String backup) {
    return PeerIdentity.create(config, backup, UUID.randomUUID()).peer();
  }

  /** Makes an empty folder this node's. */
  static NodeIdentity create(Path root, StoreConfig config) throws IOException {
    return restored(root, config, Origin.NOTHING);
  }

  /** Makes a folder with a table from a backup this node's. */
  static NodeIdentity restored(Path root, StoreConfig config, Origin origin) throws IOException {
    NodeIdentity identity = new NodeIdentity(root, config);
    identity.begin(origin);
    return identity;
  }

  private synchronized void begin(Origin newOrigin) throws IOException {
    peer = newPeer(newOrigin.backup());
    origin = newOrigin;
    write();
  }

  /**
   * Reads it.
   *
   * @throws StoreStartException if the folder is another node's, or that cannot be told
   */
  static NodeIdentity read(Path root, StoreConfig config) throws IOException {
    NodeIdentity identity = new NodeIdentity(root, config);
    identity.check(identity.read());
    return identity;
  }

  /** Returns who this member is to the others. */
  synchronized RaftPeerId peer() {
    return peer;
  }

  /** Returns what the cluster began with. */
  synchronized Origin origin() {
    return origin;
  }

  /** Whether this folder is of a group; once it is, it stays so for ever. */
  synchronized boolean hasGroup() {
    return group.isPresent();
  }

  /**
   * Returns the group that this folder is of.
   *
   * @throws IllegalStateException if it is of none yet
   */
  synchronized RaftGroupId groupId() {
    return group.orElseThrow(() -> new IllegalStateException("there is no group yet"));
  }

  /**
   * Returns the group with all of its members that are known of, at their addresses. Who is to be a
   * listener is one from the beginning: Ratis does not make one of a server that it takes for
   * somebody who may vote.
   */
  synchronized RaftGroup group() {
    List<RaftPeer> all = new ArrayList<>(peers);
    listeners.stream().filter(each -> !peers.contains(each)).forEach(all::add);
    if (config.listener() && !isNamed()) {
      all.add(
          RaftPeer.newBuilder()
              .setId(peer)
              .setAddress(config.self().address())
              .setStartupRole(RaftPeerRole.LISTENER)
              .build());
    }
    return RaftGroup.valueOf(groupId(), all);
  }

  /**
   * Returns the group as Ratis starts with it. It starts no server with a group that does not name
   * that server; with one that names nobody it does, and what the log says counts from then on.
   */
  synchronized RaftGroup groupToStart() {
    RaftGroup known = group();
    return known.getPeer(peer) == null ? RaftGroup.valueOf(groupId()) : known;
  }

  /** Returns who the members are, as far as is noted. */
  synchronized RaftConfiguration members() {
    return ServerImplUtils.newRaftConfiguration(peers, listeners, NOT_LOGGED, List.of(), List.of());
  }

  /** Whether this node was a member, as far as is noted. */
  synchronized boolean isNamed() {
    return Stream.concat(peers.stream(), listeners.stream())
        .anyMatch(each -> each.getId().equals(peer));
  }

  /**
   * Notes for ever which group this folder is of.
   *
   * @param founds whether the group begins with this node, and with what it was to begin with
   */
  synchronized void enter(RaftGroup entered, boolean founds) throws IOException {
    if (hasGroup()) {
      throw new IllegalStateException("a folder is in one group for ever");
    }
    if (!founds) {
      origin = Origin.NOTHING;
    }
    group = Optional.of(entered.getGroupId());
    peers =
        founds
            ? asListed(list(), entered.getPeers(), RaftPeerRole.FOLLOWER)
            : located(entered.getPeers(), RaftPeerRole.FOLLOWER);
    write();
  }

  /**
   * Notes who the members are now, to find them at the next start.
   *
   * @param latest says who they are
   */
  synchronized void know(Supplier<RaftConfiguration> latest) throws IOException {
    RaftConfiguration members = latest.get(); // under the lock, so that the last note is the latest
    List<RaftPeer> nowVoting =
        located(members.getAllPeers(RaftPeerRole.FOLLOWER), RaftPeerRole.FOLLOWER);
    List<RaftPeer> nowListening =
        located(members.getAllPeers(RaftPeerRole.LISTENER), RaftPeerRole.LISTENER);
    if (!text(nowVoting).equals(text(peers)) || !text(nowListening).equals(text(listeners))) {
      peers = nowVoting;
      listeners = nowListening;
      write();
    }
  }

  /**
   * Returns where a member is: for one that is noted where it was then, or where the list of
   * members has moved it since; for any other where it says itself.
   */
  synchronized String addressOf(RaftPeer member) {
    return Stream.concat(peers.stream(), listeners.stream())
        .filter(each -> each.getId().equals(member.getId()))
        .findFirst()
        .orElse(member)
        .getAddress();
  }

  /** What is noted of a member stands, whatever the log has of it. */
  private List<RaftPeer> located(Collection<RaftPeer> members, RaftPeerRole role) {
    return sorted(members.stream().map(each -> peer(each.getId(), addressOf(each), role)));
  }

  /** Members that are in the list are where that has them. */
  private List<RaftPeer> asListed(
      Map<String, String> list, Collection<RaftPeer> members, RaftPeerRole role) {
    return sorted(
        members.stream()
            .map(
                each -> {
                  String moved = list.get(PeerIdentity.nameOf(each.getId()));
                  return peer(each.getId(), moved == null ? each.getAddress() : moved, role);
                }));
  }

  private static RaftPeer peer(RaftPeerId id, String address, RaftPeerRole role) {
    return RaftPeer.newBuilder().setId(id).setAddress(address).setStartupRole(role).build();
  }

  private static List<RaftPeer> sorted(Stream<RaftPeer> members) {
    return members.sorted(Comparator.comparing(each -> each.getId().toString())).toList();
  }

  private Map<String, String> list() {
    return config.members().stream().collect(Collectors.toMap(Member::id, Member::address));
  }

  /** What the list says of a member that it did not say when this was last written. */
  private Map<String, String> movedSince(Map<String, String> before) {
    Map<String, String> moved = list();
    moved.entrySet().removeAll(before.entrySet());
    return moved;
  }

  synchronized boolean hasJoined() {
    return joined;
  }

  /** Notes for ever that this folder has been in the group. Called before the first vote. */
  synchronized void joined() throws IOException {
    if (!joined) {
      joined = true;
      write();
    }
  }

  private Properties read() throws IOException {
    Properties identity = new Properties();
    try (var reader = Files.newBufferedReader(root.resolve(FILE), StandardCharsets.UTF_8)) {
      identity.load(reader);
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw damaged(e);
    }
    return identity;
  }

  private StoreStartException damaged(@Nullable Throwable cause) {
    return new StoreStartException(
        "%s is damaged: %s".formatted(root.resolve(FILE), StartFailures.LOST), cause);
  }

  private synchronized void check(Properties identity) throws IOException {
    String format = identity.getProperty("format", "");
    if (!format.matches("[1-9][0-9]{0,8}")) {
      throw damaged(null);
    }
    boolean ofNames = format.equals(FORMAT_OF_NAMES);
    if (!ofNames && !format.equals(Integer.toString(FORMAT))) {
      throw new StoreStartException(
          "folder %s has format '%s' and this version reads %d: start the version that wrote it, or a newer one"
              .formatted(root, format, FORMAT),
          null);
    }
    String written = identity.getProperty("joined", "");
    if (!written.equals("true") && !written.equals("false")) {
      // It is written last: what has lost it may have lost the end of any other line.
      throw damaged(null);
    }
    checkOwner("cluster", config.cluster(), identity.getProperty("cluster", ""));
    checkOwner("node", config.nodeId(), identity.getProperty("node", ""));
    origin = origin(identity);
    joined = Boolean.parseBoolean(written);
    if (ofNames) {
      readNames(identity.getProperty("members", ""));
    } else {
      readPeers(identity);
    }
  }

  private Origin origin(Properties identity) {
    String backup = identity.getProperty(BACKUP, "");
    String floor = identity.getProperty(TOKEN_FLOOR, "0");
    if (!backup.matches("[0-9a-f-]{0,100}") || !floor.matches("[0-9]{1,16}")) {
      throw damaged(null);
    }
    return new Origin(backup, Long.parseLong(floor));
  }

  /** The group's id followed from the list that it began with. */
  private void readNames(String found) {
    List<String> listed = config.members().stream().map(Member::id).toList();
    List<String> names = List.of(found.split(",", -1));
    if (!listed.containsAll(names)) {
      throw new StoreStartException(
          "folder %s is of a cluster of members %s, and this node was started with %s: name all of them"
              .formatted(root, found, String.join(",", listed)),
          null);
    }
    peer = RaftPeerId.valueOf(config.nodeId());
    group = Optional.of(RatisSettings.groupIdOfNames(config.cluster(), names, origin.backup()));
    peers =
        asListed(
            list(),
            names.stream()
                .map(name -> RaftPeer.newBuilder().setId(RaftPeerId.valueOf(name)).build())
                .toList(),
            RaftPeerRole.FOLLOWER);
  }

  private void readPeers(Properties identity) throws IOException {
    try {
      PeerIdentity own = PeerIdentity.of(RaftPeerId.valueOf(identity.getProperty(PEER, "")));
      if (!own.name().equals(config.nodeId())) {
        throw damaged(null);
      }
      peer = own.peer();
      String id = identity.getProperty(GROUP, "");
      group =
          id.isEmpty() ? Optional.empty() : Optional.of(RaftGroupId.valueOf(UUID.fromString(id)));
      Map<String, String> moved = movedSince(addresses(identity.getProperty(LISTED, "")));
      peers = asListed(moved, peers(identity.getProperty(PEERS, "")), RaftPeerRole.FOLLOWER);
      listeners =
          asListed(moved, peers(identity.getProperty(LISTENERS, "")), RaftPeerRole.LISTENER);
      if (!moved.isEmpty()) {
        write();
      }
    } catch (IllegalArgumentException e) {
      throw damaged(e);
    }
    if (!hasGroup() && !isForThisList()) {
      begin(origin); // It has promised nothing to anybody, and is to begin with others now.
    }
  }

  private boolean isForThisList() {
    return PeerIdentity.of(peer)
        .beginning()
        .equals(PeerIdentity.create(config, origin.backup(), new UUID(0, 0)).beginning());
  }

  private static List<RaftPeer> peers(String text) {
    return Arrays.stream(text.split(",", -1))
        .filter(part -> !part.isEmpty())
        .map(
            part -> {
              String[] idAndAddress = part.split("=", 2);
              if (idAndAddress.length < 2) {
                throw new IllegalArgumentException(part + " is no member with its address");
              }
              return RaftPeer.newBuilder()
                  .setId(RaftPeerId.valueOf(idAndAddress[0]))
                  .setAddress(idAndAddress[1])
                  .build();
            })
        .toList();
  }

  private static Map<String, String> addresses(String text) {
    return peers(text).stream()
        .collect(Collectors.toMap(each -> each.getId().toString(), RaftPeer::getAddress));
  }

  private static String text(List<RaftPeer> peers) {
    return peers.stream().map(each -> each.getId() + "=" + each.getAddress()).collect(joining(","));
  }

  private void checkOwner(String what, String wanted, String found) {
    if (!found.equals(wanted)) {
      throw new StoreStartException(
          "folder %s belongs to %s '%s' and not to '%s': start it with that name, or give this node its own folder"
              .formatted(root, what, found, wanted),
          null);
    }
  }

  private synchronized void write() throws IOException {
    DurableFiles.replace(
        root.resolve(FILE),
        List.of(
            "# Whose folder this is. Do not edit, and do not copy the folder to another node.",
            "format=" + FORMAT,
            "cluster=" + config.cluster(),
            "node=" + config.nodeId(),
            PEER + "=" + peer,
            GROUP + "=" + group.map(id -> id.getUuid().toString()).orElse(""),
            PEERS + "=" + text(peers),
            LISTENERS + "=" + text(listeners),
            LISTED
                + "="
                + config.members().stream()
                    .map(each -> each.id() + "=" + each.address())
                    .collect(joining(",")),
            BACKUP + "=" + origin.backup(),
            TOKEN_FLOOR + "=" + origin.tokenFloor(),
            "joined=" + joined,
            ""));
  }
}
