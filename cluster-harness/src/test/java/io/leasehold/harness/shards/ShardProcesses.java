package io.leasehold.harness.shards;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.FreePorts;
import io.leasehold.harness.process.NodePlan;
import io.leasehold.harness.process.NodeProcess;
import io.leasehold.harness.wire.Wire;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The processes of the example on loopback. They end with this one. */
final class ShardProcesses implements AutoCloseable {

  private final HttpClient client = NodeClient.newHttp();
  private final Path folder;
  private final Duration ttl;
  private final Map<String, HostPort> store = new LinkedHashMap<>();
  private final Map<String, HostPort> http = new LinkedHashMap<>();
  private final Map<String, Process> running = new HashMap<>();
  private final List<Path> parts = new ArrayList<>();
  private final List<Downtime> downtimes = new ArrayList<>();

  /**
   * When a process was not there to be asked, by {@link System#nanoTime}.
   *
   * @param from just before it was killed
   * @param to once its successor was ready
   */
  record Downtime(String node, long from, long to) {}

  private ShardProcesses(Path folder, List<String> ids, Duration ttl) {
    this.folder = folder;
    this.ttl = ttl;
    List<Integer> ports = FreePorts.find(2 * ids.size());
    for (int i = 0; i < ids.size(); i++) {
      store.put(ids.get(i), new HostPort(HostPort.LOOPBACK, ports.get(2 * i)));
      http.put(ids.get(i), new HostPort(HostPort.LOOPBACK, ports.get(2 * i + 1)));
    }
  }

  /** Starts nodes; returns when they can be asked. */
  static ShardProcesses start(Path folder, List<String> ids, Duration ttl) throws IOException {
    ShardProcesses processes = new ShardProcesses(folder, ids, ttl);
    try {
      for (String id : ids) {
        processes.launch(id);
      }
      for (String id : ids) {
        processes.awaitReady(id);
      }
      return processes;
    } catch (IOException | RuntimeException e) {
      processes.close();
      throw e;
    }
  }

  HostPort http(String id) {
    return Objects.requireNonNull(http.get(id));
  }

  private void launch(String id) throws IOException {
    Path own = Files.createDirectories(folder.resolve(id));
    Path part = folder.resolve("%s-%d.jsonl".formatted(id, parts.size()));
    parts.add(part);
    List<String> command = new ArrayList<>(NodeProcess.java(NodePlan.SMALL_JVM, ShardMain.class));
    command.addAll(List.of("--id", id, "--dir", own.toString(), "--events", part.toString()));
    command.addAll(List.of("--members", addresses(store), "--http", addresses(http)));
    command.addAll(List.of("--ttl", ttl.toMillis() + "ms"));
    running.put(
        id,
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve(id + ".err").toFile()))
            .start());
  }

  private static String addresses(Map<String, HostPort> nodes) {
    return nodes.entrySet().stream()
        .map(node -> node.getKey() + "=" + node.getValue())
        .collect(Collectors.joining(","));
  }

  private void awaitReady(String id) throws IOException {
    BufferedReader lines = process(id).inputReader(StandardCharsets.UTF_8);
    String line = lines.readLine();
    if (line == null || !line.startsWith("ready")) {
      throw new IOException(
          id + " ended instead of getting ready: " + Files.readString(folder.resolve(id + ".err")));
    }
  }

  private Process process(String id) {
    return Objects.requireNonNull(running.get(id));
  }

  /** Ends a process with SIGKILL, and starts the node again; returns when it can be asked. */
  void killAndRestart(String id) throws IOException, InterruptedException {
    long from = System.nanoTime();
    process(id).destroyForcibly().waitFor();
    launch(id);
    awaitReady(id);
    downtimes.add(new Downtime(id, from, System.nanoTime()));
  }

  /** Who coordinates, as a node has it; empty when nobody does, as far as it knows. */
  String leader(String asked) throws IOException, InterruptedException {
    HttpRequest question =
        HttpRequest.newBuilder(URI.create(http(asked).uri() + "/leader"))
            .timeout(Duration.ofSeconds(10))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return Wire.read(
        client.send(question, HttpResponse.BodyHandlers.ofString()).body(), String.class);
  }

  /** Stops a process where it stands (SIGSTOP). */
  void pause(String id) throws IOException, InterruptedException {
    signal("STOP", id);
  }

  /** Lets it go on (SIGCONT). */
  void resume(String id) throws IOException, InterruptedException {
    signal("CONT", id);
  }

  private void signal(String name, String id) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + process(id).pid())
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("cannot send SIG" + name + " to " + id);
    }
  }

  List<Downtime> downtimes() {
    return downtimes;
  }

  /**
   * Ends all processes; returns what each of them has written down, nothing of a last line that
   * breaks off.
   */
  List<List<ShardEvent>> end() {
    close();
    return parts.stream().map(ShardProcesses::read).toList();
  }

  private static List<ShardEvent> read(Path part) {
    try {
      String text = Files.readString(part);
      return text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .map(line -> Wire.read(line, ShardEvent.class))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + part, e);
    }
  }

  /** Ends all processes with SIGKILL: what they had to say they have written down. */
  @Override
  public void close() {
    running.values().forEach(Process::destroyForcibly);
    running.values().forEach(process -> process.onExit().join());
  }
}
