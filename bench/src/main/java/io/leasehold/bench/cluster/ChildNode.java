package io.leasehold.bench.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node in a process of its own, run by the same jar as this one. Confined to one thread. */
public final class ChildNode implements AutoCloseable {

  private static final long CLOSE_SECONDS_MAX = 15;

  private final String id;
  private final Path errors;
  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  private ChildNode(String id, Path errors, Process process) {
    this.id = id;
    this.errors = errors;
    this.process = process;
    this.commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII);
    this.answers =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
  }

  /**
   * Starts a node and waits until its replica runs.
   *
   * @param jvmOptions options of its JVM
   */
  public static ChildNode start(ClusterPlan plan, String id, List<String> jvmOptions) {
    List<String> arguments = new ArrayList<>(List.of(id, plan.folder().toString()));
    plan.members().forEach(member -> arguments.add(member.id() + "=" + member.port()));
    Path errors = plan.folder().resolve(id + ".err");
    try {
      Process process = ChildJvm.start(NodeMain.class, jvmOptions, arguments, errors);
      ChildNode node = new ChildNode(id, errors, process);
      long unused = node.read();
      return node;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a process for node " + id, e);
    }
  }

  public String id() {
    return id;
  }

  public long pid() {
    return process.pid();
  }

  /** Waits until a majority of the nodes answers. */
  public void awaitQuorum() {
    long unused = ask("quorum");
  }

  /** Acquires a lease; returns how long ago its start began when it had it. */
  public long firstLeaseNanos() {
    return ask("first");
  }

  /** Acquires leases on this node and keeps them. */
  public void hold(String prefix, int count, Duration ttl) {
    long held = ask("hold " + prefix + " " + count + " " + ttl.toMillis());
    if (held != count) {
      throw new IllegalStateException("node " + id + " got " + held + " of " + count + " leases");
    }
  }

  /** How many of the leases that it was told to hold it still has. */
  public int alive() {
    return (int) ask("alive");
  }

  /** The bytes of heap that this node uses after a collection. */
  public long heapBytes() {
    return ask("heap");
  }

  /** The bytes of direct memory that this node uses. */
  public long directBytes() {
    return ask("direct");
  }

  /** The log index that this node has applied. */
  public long appliedIndex() {
    return ask("applied");
  }

  private long ask(String command) {
    try {
      commands.write(command + "\n");
      commands.flush();
      return read();
    } catch (IOException e) {
      throw new UncheckedIOException("node " + id + " does not answer", e);
    }
  }

  private long read() throws IOException {
    StringBuilder others = new StringBuilder();
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith(NodeMain.ANSWER)) {
        return Long.parseLong(line.substring(NodeMain.ANSWER.length()));
      }
      others.append(line).append('\n');
    }
    throw new IllegalStateException(
        "node " + id + " has ended: " + others + Files.readString(errors));
  }

  /** Ends its process as kill -9 does, and returns when it is gone. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Lets the node shut down in order; ends its process if that takes too long. */
  @Override
  public void close() {
    try {
      commands.close();
      if (process.waitFor(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
        return;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close node " + id, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
