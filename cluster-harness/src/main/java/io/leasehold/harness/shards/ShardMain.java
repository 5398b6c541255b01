package io.leasehold.harness.shards;

import static java.util.stream.Collectors.toMap;

import io.leasehold.harness.DurationNotation;
import io.leasehold.harness.HostPort;
import io.leasehold.harness.MemberList;
import io.leasehold.harness.node.NodeLog;
import io.leasehold.raft.RaftLeases;
import io.leasehold.raft.RaftLeasesConfig;
import io.leasehold.store.Member;
import io.leasehold.time.ExecutorTimer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One node as a process. It says {@code ready} on standard output once it can be asked, and ends in
 * order when its standard input does.
 */
@Command(name = "shards", description = "One node of the shard coordinator example.")
@SuppressWarnings("NullAway.Init") // picocli fills the annotated fields before it calls.
public final class ShardMain implements Callable<Integer> {

  /** How often it writes down what it believes to be: a moment between two lines is not judged. */
  private static final Duration CLAIM_PAUSE = Duration.ofMillis(20);

  @Option(names = "--id", required = true)
  private String id;

  @Option(names = "--members", required = true, description = "n1=host:port,… of the lease store")
  private String members;

  @Option(names = "--http", required = true, description = "n1=host:port,… of this example")
  private String http;

  @Option(names = "--dir", required = true, description = "its data folder")
  private Path folder;

  @Option(names = "--events", required = true, description = "the file to write events into")
  private Path events;

  @Option(names = "--ttl", required = true, description = "of all leases")
  private String ttl;

  /** Runs one node until its standard input ends. */
  public static void main(String[] arguments) {
    Runtime.getRuntime().halt(new CommandLine(new ShardMain()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    NodeLog.toFile(folder.resolve(NodeLog.FILE), "INFO");
    List<Member> all = MemberList.parse(members);
    ShardSettings settings =
        new ShardSettings(all.stream().map(Member::id).toList(), DurationNotation.parse(ttl));
    HttpPeers peers = new HttpPeers(addresses(), settings.ttl());
    ShardLog log = new ShardLog(id, System::nanoTime, new ShardEventFile(events));
    try (RaftLeases leases =
            RaftLeases.start(RaftLeasesConfig.of("shards", id, all, folder.resolve("store")));
        ExecutorTimer timer = new ExecutorTimer("shards");
        ShardNode node =
            ShardNode.start(id, settings, leases, timer, peers, log, new SplittableRandom());
        ShardServer server = ShardServer.start(peers.address(id), node)) {
      claim(node, timer);
      System.out.println("ready at " + server.at());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
    return 0;
  }

  private Map<String, HostPort> addresses() {
    return Member.parseAll(http).stream()
        .collect(toMap(Member::id, member -> new HostPort(member.host(), member.port())));
  }

  private static void claim(ShardNode node, ExecutorTimer timer) {
    node.claim();
    var unused = timer.schedule(CLAIM_PAUSE, () -> claim(node, timer));
  }
}
