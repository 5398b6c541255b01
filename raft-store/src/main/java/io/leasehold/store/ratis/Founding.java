package io.leasehold.store.ratis;

import static java.util.stream.Collectors.joining;

import io.leasehold.store.Member;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * How members with new folders become a group. Pure: what a node does next follows from what the
 * others say of themselves.
 *
 * <p>A new cluster begins once every member has been seen, with a new folder and meant for the same
 * beginning. The group's id is made of who they are; so whichever of them is first to see all
 * others, and however many do, it is one group, and each folder is in one for ever. Where a member
 * has a group already, the cluster has begun before. A node that this group does not name, because
 * its folder is another one than then or because it is new, keeps the log of it from now on and has
 * no vote until the members have taken it in.
 */
final class Founding {

  private Founding() {}

  /** What to do next. */
  sealed interface Step {}

  /**
   * Ask again later.
   *
   * @param why in a sentence
   */
  record Wait(String why) implements Step {}

  /**
   * Be in a group.
   *
   * @param founds whether it begins now, with this node
   */
  record Enter(RaftGroup group, boolean founds) implements Step {}

  /**
   * Decides.
   *
   * @param self this node
   * @param members all that it was started with, itself included
   * @param answers of the others, by their names
   */
  static Step next(RaftPeerId self, List<Member> members, Map<String, Introduction> answers) {
    PeerIdentity own = PeerIdentity.of(self);
    List<Member> others = members.stream().filter(each -> !each.id().equals(own.name())).toList();
    for (Member other : others) {
      Introduction answer = answers.get(other.id());
      if (answer != null) {
        PeerIdentity identity = PeerIdentity.of(answer.peer());
        if (!identity.name().equals(other.id()) || !identity.isNear(own)) {
          return new Wait(
              "at the address of %s, %s, answers a node %s: correct the list of members"
                  .formatted(
                      other.id(),
                      other.address(),
                      identity.isNear(own) ? identity.name() : "of another cluster"));
        }
      }
    }
    Map<RaftGroupId, RaftGroup> groups = new TreeMap<>(Comparator.comparing(RaftGroupId::getUuid));
    answers
        .values()
        .forEach(each -> each.group().ifPresent(group -> groups.put(group.getGroupId(), group)));
    return groups.isEmpty()
        ? found(self, members, others, answers)
        : enter(self, List.copyOf(groups.values()));
  }

  private static Step enter(RaftPeerId self, List<RaftGroup> groups) {
    List<RaftGroup> naming = groups.stream().filter(group -> group.getPeer(self) != null).toList();
    List<RaftGroup> choice = naming.isEmpty() ? groups : naming;
    if (choice.size() > 1) {
      return new Wait(
          "the other members are of different clusters that have the same name: start each with the members of its own");
    }
    return new Enter(choice.get(0), !naming.isEmpty());
  }

  private static Step found(
      RaftPeerId self,
      List<Member> members,
      List<Member> others,
      Map<String, Introduction> answers) {
    String missing =
        others.stream()
            .filter(other -> !answers.containsKey(other.id()))
            .map(other -> other.id() + " (" + other.address() + ")")
            .collect(joining(", "));
    if (!missing.isEmpty()) {
      return new Wait(
          "a new cluster begins when all of its members are there once, and these are not there yet: "
              + missing);
    }
    PeerIdentity own = PeerIdentity.of(self);
    String listening = namesOf(answers, Introduction::listener);
    if (!listening.isEmpty()) {
      return new Wait(
          "a new cluster begins without listeners, which are added later: start its members without %s in their lists"
              .formatted(listening));
    }
    String different =
        namesOf(
            answers, answer -> !PeerIdentity.of(answer.peer()).beginning().equals(own.beginning()));
    if (!different.isEmpty()) {
      return new Wait(
          "a new cluster begins when all of its members were started with the same list of members and the same backup, and with others than this one were "
              + different);
    }
    List<RaftPeer> peers = new ArrayList<>();
    for (Member member : members) {
      Introduction answer = answers.get(member.id());
      peers.add(peer(answer == null ? self : answer.peer(), member.address()));
    }
    return new Enter(RaftGroup.valueOf(groupId(peers), peers), true);
  }

  private static String namesOf(Map<String, Introduction> answers, Predicate<Introduction> which) {
    return answers.entrySet().stream()
        .filter(answer -> which.test(answer.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .collect(joining(", "));
  }

  private static RaftPeer peer(RaftPeerId id, String address) {
    return RaftPeer.newBuilder().setId(id).setAddress(address).build();
  }

  private static RaftGroupId groupId(List<RaftPeer> peers) {
    Stream<String> ids = peers.stream().map(peer -> peer.getId().toString()).sorted();
    String name = "leasehold:" + ids.collect(joining(","));
    return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
  }
}
