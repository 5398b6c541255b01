package io.leasehold.harness.demo;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.FreePorts;
import io.leasehold.harness.process.LocalCluster;
import io.leasehold.harness.process.NodePlan;
import io.leasehold.harness.process.Patience;
import io.leasehold.store.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Three members become five, and three again, of which two are others. */
final class ResizeScene {

  private static final Duration EXIT_MAX = Duration.ofSeconds(20);

  private final Stage stage;
  private final Path folder;
  private final Holdings holdings;

  ResizeScene(Stage stage, Path folder) {
    this.stage = stage;
    this.folder = folder;
    this.holdings = new Holdings(stage);
  }

  void play() {
    stage.scene("resize", "Three members become five");
    List<String> leaderLast = stage.leaderLast();
    String stays = leaderLast.get(0);
    holdings.acquire(stays);
    stage.say(
        "%s holds %d leases (time to live %s), and callers cycle on all nodes."
            .formatted(stays, Holdings.LEASES, Figures.of(Holdings.TTL)));
    List<NodePlan> more = more();
    try (Load load = Load.on(stage)) {
      more.forEach(this::add);
      List<String> all =
          Patience.until(
              stays + " to hear of all members",
              EXIT_MAX,
              () -> Optional.of(members(stays)).filter(members -> members.size() == 5));
      stage.promise(true, "All five are members", String.join(", ", all));
      holdings.promiseHeld(List.of(stays));

      stage.scene("shrink", "Five members become three");
      leaderLast.subList(1, 3).forEach(id -> remove(id, stays));
      List<String> left =
          Stream.concat(Stream.of(stays), more.stream().map(NodePlan::id)).sorted().toList();
      stage.promise(members(stays).equals(left), "Three are left", String.join(", ", left));
      holdings.promiseHeld(List.of(stays));
      load.promiseServed();
      stage.promiseSame(left);
    }
    String leader = stage.cluster().leader();
    if (!leader.equals(stays)) {
      stage.cluster().kill(leader);
      stage.say(
          "kill -9 %d: %s, which led, is gone."
              .formatted(stage.cluster().process(leader).pid(), leader));
      String next = stage.cluster().leaderOtherThan(leader);
      holdings.promiseHeld(List.of(stays));
      stage.promise(
          NodeClient.await(stage.acquire(next, "after", Stage.TTL, Duration.ZERO)).acquired(),
          "The two that are left grant leases, led by " + next,
          "");
    }
  }

  /** Two nodes that know of all others. */
  private List<NodePlan> more() {
    LocalCluster cluster = stage.cluster();
    NodePlan first = cluster.plan(cluster.ids().get(0));
    List<Member> members = new ArrayList<>(first.members());
    List<Integer> ports = FreePorts.find(4);
    List<NodePlan> plans = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      members.add(new Member("n" + (4 + i), HostPort.LOOPBACK, ports.get(i)));
      plans.add(
          new NodePlan(
              first.cluster(),
              "n" + (4 + i),
              members,
              folder.resolve("n" + (4 + i)),
              new HostPort(HostPort.LOOPBACK, ports.get(2 + i)),
              first.electionTimeout(),
              first.jvmOptions()));
    }
    return plans;
  }

  private void add(NodePlan plan) {
    LocalCluster cluster = stage.cluster();
    String asked = cluster.ids().get(0);
    cluster.include(plan);
    stage.alsoLogs(plan);
    long start = System.nanoTime();
    cluster.launch(plan.id());
    cluster.process(plan.id()).awaitReady(Stage.START_MAX);
    stage.say("%s runs, after %s".formatted(plan.id(), Figures.of(Stage.since(start))));
    long change = System.nanoTime();
    var unused = NodeClient.await(stage.node(asked).addMember(plan.id(), plan.address()));
    stage.say(
        "members add %s=%s: done, after %s"
            .formatted(plan.id(), plan.address(), Figures.of(Stage.since(change))));
    cluster.awaitServing(plan.id());
  }

  private void remove(String id, String asked) {
    boolean leads = stage.cluster().leader().equals(id);
    long start = System.nanoTime();
    var unused = NodeClient.await(stage.node(asked).removeMember(id));
    stage.cluster().exclude(id);
    stage.say(
        "members remove %s%s: done, after %s"
            .formatted(id, leads ? ", which led" : "", Figures.of(Stage.since(start))));
    var process = stage.cluster().process(id);
    process.terminate();
    int code = process.awaitExit(EXIT_MAX);
    stage.say("kill -TERM %d: %s has ended with code %d".formatted(process.pid(), id, code));
  }

  private List<String> members(String asked) {
    return NodeClient.await(stage.node(asked).status()).members().stream()
        .map(member -> member.id())
        .toList();
  }
}
