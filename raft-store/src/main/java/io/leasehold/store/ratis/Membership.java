package io.leasehold.store.ratis;

import static java.util.stream.Collectors.joining;

import io.leasehold.store.StoreConfig;
import io.leasehold.store.codec.EntryCodec;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's part in its group: how it comes into one, and whether it is a member of it. Safe for
 * many threads.
 */
final class Membership implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

  /** What a member reads that does not say so: it is of a version that was never asked. */
  private static final int FIRST_FORMAT = 1;

  private static final Duration ASK_PAUSE = Duration.ofSeconds(5);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

  private final StoreConfig config;
  private final NodeFolder folder;
  private final LocalServer local;
  private final Roster roster;
  private final Listener listener;
  private final Ticker ticker;
  private final GroupSearch search;
  private final MemberWatch watch;
  private final Map<String, Integer> formats = new ConcurrentHashMap<>();
  private String toldMembers = "";
  private long askedNanos;
  private volatile boolean closed;

  /** Is told what becomes of it. */
  interface Listener {

    /** Others are in the group now. */
    void membersChanged();

    /** The group has gone on without this node. */
    void dismissed();

    /** This node cannot take part in the group that was found for it. */
    void failed(Exception cause);
  }

  /**
   * @param local this node's server, which need not be in a group yet
   */
  Membership(
      StoreConfig config,
      NodeFolder folder,
      LocalServer local,
      Roster roster,
      Ticker ticker,
      Timer timer,
      Listener listener) {
    this.config = config;
    this.folder = folder;
    this.local = local;
    this.roster = roster;
    this.listener = listener;
    this.ticker = ticker;
    this.askedNanos = ticker.nanos();
    this.watch = new MemberWatch(ticker, roster::peer);
    this.search = new GroupSearch(config, folder.identity().peer(), roster, timer);
  }

  /** What this node says of itself. */
  Introduction introduction() {
    return local.isBound()
        ? introduction(members().getLogEntryIndex(), Optional.of(group()))
        : introduction(-1, Optional.empty());
  }

  private Introduction introduction(long changedAt, Optional<RaftGroup> group) {
    return new Introduction(
        folder.identity().peer(), EntryCodec.FORMAT, config.listener(), changedAt, group);
  }

  /** Not with this node in it while it only listens: whoever asks would take it for a member. */
  private RaftGroup group() {
    RaftConfiguration known = members();
    List<RaftPeer> peers = new ArrayList<>(known.getAllPeers(RaftPeerRole.FOLLOWER));
    known.getAllPeers(RaftPeerRole.LISTENER).stream()
        .filter(each -> !peers.contains(each))
        .forEach(peers::add);
    if (!roster.isMember()) {
      peers.removeIf(each -> each.getId().equals(folder.identity().peer()));
    }
    return RaftGroup.valueOf(folder.identity().groupId(), peers);
  }

  /** Those in the log; or, where that has none and Ratis was started without any, those noted. */
  private RaftConfiguration members() {
    RaftConfiguration inLog = local.division().getRaftConf();
    return inLog.getAllPeers(RaftPeerRole.FOLLOWER).isEmpty() ? folder.identity().members() : inLog;
  }

  /**
   * Looks for a group if there is none in the folder; where this node is alone it has one when this
   * returns.
   *
   * @param server which has been started
   */
  void start(RaftServer server) throws IOException {
    if (!folder.identity().hasGroup()) {
      search.start(new Entrance(server));
    }
  }

  /** Into the group that was found. */
  private final class Entrance implements GroupSearch.Found {

    private final RaftServer server;

    Entrance(RaftServer server) {
      this.server = server;
    }

    @Override
    public void enter(RaftGroup group, boolean founds) throws IOException {
      folder.enter(group, founds);
      RaftGroup entered = folder.identity().group();
      RaftClientReply reply =
          server.groupManagement(
              GroupManagementRequest.newAdd(
                  ClientId.randomId(), server.getId(), 0, entered, false));
      if (!reply.isSuccess()) {
        throw new IOException("the Raft server does not begin", reply.getException());
      }
    }

    @Override
    public void failed(Exception cause) {
      if (!closed) {
        listener.failed(cause);
      }
    }
  }

  /**
   * Looks who is in the group by now. That changes when it is written into the log, not only when
   * it is committed.
   */
  synchronized void follow() {
    RaftConfiguration members = members();
    boolean before = roster.isMember();
    if (!roster.update(members, isOutside(members))) {
      return;
    }
    listener.membersChanged();
    if (members.getLogEntryIndex() >= 0) {
      new Thread(this::note, "leasehold-" + config.nodeId() + "-members").start();
    }
    if (roster.isMember()) {
      tellMembers();
    } else if (!before) {
      LOG.warn("node {} waits: {}", config.nodeId(), notAMember());
    } else if (!local.info().isLeader() && !local.isToStay()) {
      listener.dismissed();
    }
  }

  /** Each leader writes them into the log anew. */
  private void tellMembers() {
    String members =
        roster.members().stream()
            .map(member -> member.id() + "=" + member.address())
            .collect(joining(", "));
    if (!members.equals(toldMembers)) {
      toldMembers = members;
      LOG.info("node {}: the members are {}", config.nodeId(), members);
    }
  }

  /**
   * The newest format of log entries that all members read, as far as they have said: during an
   * upgrade some are older than others, and an entry that one cannot read would stop it.
   */
  int sharedFormat() {
    return roster.others().stream()
        .mapToInt(member -> formats.getOrDefault(member, FIRST_FORMAT))
        .reduce(EntryCodec.FORMAT, Math::min);
  }

  /**
   * Asks the others now and then what entries they read, and whether this node is still in their
   * group: a listener that has been taken out is not told, nor is anybody who was away.
   */
  void tick() {
    if (ticker.nanos() - askedNanos < ASK_PAUSE.toNanos()) {
      return;
    }
    askedNanos = ticker.nanos();
    formats.keySet().retainAll(roster.others());
    watch.asked(roster.others());
    roster
        .links()
        .forEach(
            (member, link) -> {
              var unused = link.introduce(ANSWER_LIMIT).thenAccept(answer -> hear(member, answer));
            });
  }

  private void hear(String member, Introduction answer) {
    formats.put(member, answer.entryFormat());
    watch.answered(member, answer, folder.identity().groupId());
    boolean isOurs =
        answer.group().map(RaftGroup::getGroupId).equals(Optional.of(folder.identity().groupId()));
    if (isOurs
        && roster.isMember()
        && answer.knowsWithout(folder.identity().peer(), members().getLogEntryIndex())) {
      listener.dismissed();
    }
  }

  /** Elsewhere, as the disk may stand still. */
  private void note() {
    try {
      folder.identity().know(local.division()::getRaftConf);
    } catch (IOException e) {
      LOG.warn("node {} cannot note who the members are", config.nodeId(), e);
    }
  }

  /** Nothing in the log and nothing on disk says that this node is in the group it follows. */
  private boolean isOutside(RaftConfiguration members) {
    return members.getLogEntryIndex() < 0 && !folder.identity().isNamed();
  }

  private String notAMember() {
    return "its folder is not that of a member, for it is new, or the member was taken out: have another member add it, with 'members add %s=%s --http …' (README, A lost disk)"
        .formatted(config.nodeId(), config.self().address());
  }

  /** What is wrong with other members as far as this node can tell, and what to do. */
  Map<String, String> warnings() {
    return local.isBound() ? watch.warnings(local.lead(), local.lastIndex()) : Map.of();
  }

  /** Why this node does not serve yet, and what to do; empty once it does. */
  Optional<String> waitsFor() {
    if (!local.isBound()) {
      return Optional.of(search.waitsFor());
    }
    return roster.isMember() ? Optional.empty() : Optional.of(notAMember());
  }

  @Override
  public void close() {
    closed = true;
    search.close();
  }
}
