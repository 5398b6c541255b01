package io.leasehold.harness.chaos;

import io.leasehold.store.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Each node in a network namespace of its own, all joined by a bridge in one more; partitions are
 * rules of iptables. Where links are to be late, connections are led through a relay at the bridge,
 * for the kernel's own means (netem) is missing on many machines. Needs root, {@code ip} and {@code
 * iptables}.
 */
final class NamespaceNetwork implements Network {

  private static final int PORT = 7_100;
  private static final int RELAY_PORT = 7_200;
  private static final String HUB = "10.77.0.254";
  private static final Duration RELAY_LIMIT = Duration.ofSeconds(20);

  private final String prefix;
  private final List<String> nodes;
  private final List<Link> links = new ArrayList<>();
  private @Nullable Worker relays;
  private int disturbances;

  /** From who connects to who is connected to. */
  private record Link(String from, String to) {
    boolean touches(String node) {
      return from.equals(node) || to.equals(node);
    }
  }

  private NamespaceNetwork(String prefix, List<String> nodes) {
    this.prefix = prefix;
    this.nodes = List.copyOf(nodes);
  }

  /**
   * Builds it.
   *
   * @param relay the program that keeps the relays
   * @param log where that writes what it has to say
   * @param run tells this run's namespaces from all others on the machine
   * @throws IOException with the command that this machine or user does not allow
   */
  static NamespaceNetwork open(long run, List<String> nodes, ProgramCommand relay, Path log)
      throws IOException {
    NamespaceNetwork network = new NamespaceNetwork("lease" + run + "-", nodes);
    try {
      network.build();
      network.startRelays(relay, log);
    } catch (IOException e) {
      network.close();
      throw e;
    }
    return network;
  }

  private void build() throws IOException {
    String hub = prefix + "hub";
    Shell.run("ip", "netns", "add", hub);
    Shell.run("ip", "-n", hub, "link", "add", "hub", "type", "bridge");
    Shell.run("ip", "-n", hub, "link", "set", "hub", "up");
    Shell.run("ip", "-n", hub, "addr", "add", HUB + "/24", "dev", "hub");
    for (String node : nodes) {
      String namespace = prefix + node;
      String port = "port" + nodes.indexOf(node);
      Shell.run("ip", "netns", "add", namespace);
      Shell.run(
          "ip", "link", "add", "eth0", "netns", namespace, "type", "veth", "peer", "name", port,
          "netns", hub);
      Shell.run("ip", "-n", hub, "link", "set", port, "master", "hub", "up");
      Shell.run("ip", "-n", namespace, "addr", "add", address(node) + "/24", "dev", "eth0");
      Shell.run("ip", "-n", namespace, "link", "set", "eth0", "up");
      Shell.run("ip", "-n", namespace, "link", "set", "lo", "up");
      Shell.run("ip", "netns", "exec", namespace, "iptables", "-w", "-L", "-n");
    }
  }

  private void startRelays(ProgramCommand relay, Path log) throws IOException {
    List<String> command = new ArrayList<>(prefix("hub"));
    command.addAll(relay.words());
    for (String from : nodes) {
      for (String to : nodes) {
        if (!from.equals(to)) {
          Link link = new Link(from, to);
          links.add(link);
          command.add("%s %d %s %d".formatted(HUB, relayPort(link), address(to), PORT));
        }
      }
    }
    relays = Worker.start(command, log, System::nanoTime);
  }

  private int relayPort(Link link) {
    return RELAY_PORT + 10 * nodes.indexOf(link.from()) + nodes.indexOf(link.to());
  }

  private String address(String node) {
    return "10.77.0." + (nodes.indexOf(node) + 1);
  }

  @Override
  public String means() {
    return "network namespaces with iptables, and relays for delays";
  }

  @Override
  public List<Member> members(String self) {
    return nodes.stream().map(node -> new Member(node, address(node), PORT)).toList();
  }

  @Override
  public List<String> prefix(String node) {
    return List.of("ip", "netns", "exec", prefix + node);
  }

  @Override
  public Undo cut(String node, String direction, boolean reset) throws IOException {
    List<List<String>> rules = new ArrayList<>();
    List<String> target =
        reset
            ? List.of("-p", "tcp", "-j", "REJECT", "--reject-with", "tcp-reset")
            : List.of("-j", "DROP");
    if (!direction.equals("out")) {
      rules.add(rule(node, "INPUT", "-i", target));
    }
    if (!direction.equals("in")) {
      rules.add(rule(node, "OUTPUT", "-o", target));
    }
    return insert(rules);
  }

  private List<String> rule(String node, String chain, String flag, List<String> target) {
    List<String> rule =
        new ArrayList<>(
            List.of(
                "ip", "netns", "exec", prefix + node, "iptables", "-w", "-A", chain, flag, "eth0"));
    rule.addAll(target);
    return rule;
  }

  @Override
  public Undo lose(String node, String probability) throws IOException {
    List<String> lost =
        List.of("-m", "statistic", "--mode", "random", "--probability", probability, "-j", "DROP");
    return insert(List.of(rule(node, "INPUT", "-i", lost)));
  }

  private static Undo insert(List<List<String>> rules) throws IOException {
    for (List<String> rule : rules) {
      Shell.run(rule);
    }
    return () -> {
      for (List<String> rule : rules) {
        Shell.run(rule.stream().map(word -> word.equals("-A") ? "-D" : word).toList());
      }
    };
  }

  @Override
  public Undo delay(String node, String how) throws IOException {
    Worker started = Objects.requireNonNull(relays);
    String unused = started.await("ready", RELAY_LIMIT);
    String key = "d" + ++disturbances;
    List<Link> touched = links.stream().filter(link -> link.touches(node)).toList();
    List<List<String>> rules = new ArrayList<>();
    for (Link link : touched) {
      started.tell("%d impose %s %s".formatted(links.indexOf(link), key, how));
      rules.add(led(link, "nat", "DNAT", "--to-destination", HUB + ":" + relayPort(link)));
      // Connections that were there before are not led anywhere: they have to be made anew.
      rules.add(led(link, "filter", "REJECT", "--reject-with", "tcp-reset"));
    }
    Undo direct = insert(rules);
    return () -> {
      direct.undo();
      for (Link link : touched) {
        started.tell("%d lift %s".formatted(links.indexOf(link), key));
        started.tell("%d half-close".formatted(links.indexOf(link)));
      }
    };
  }

  private List<String> led(Link link, String table, String... target) {
    List<String> rule =
        new ArrayList<>(
            List.of(
                "ip",
                "netns",
                "exec",
                prefix + link.from(),
                "iptables",
                "-w",
                "-t",
                table,
                "-A",
                "OUTPUT",
                "-d",
                address(link.to()),
                "-p",
                "tcp",
                "--dport",
                String.valueOf(PORT),
                "-j"));
    rule.addAll(List.of(target));
    return rule;
  }

  @Override
  public Undo slow(String node, String rate) throws IOException {
    String namespace = prefix + node;
    Shell.run(
        "tc", "-n", namespace, "qdisc", "replace", "dev", "eth0", "root", "tbf", "rate", rate,
        "burst", "16kbit", "latency", "800ms");
    return () -> Shell.run("tc", "-n", namespace, "qdisc", "del", "dev", "eth0", "root");
  }

  @Override
  public void close() {
    if (relays != null) {
      relays.kill();
    }
    nodes.forEach(node -> Shell.attempt("ip", "netns", "del", prefix + node));
    Shell.attempt("ip", "netns", "del", prefix + "hub");
  }
}
