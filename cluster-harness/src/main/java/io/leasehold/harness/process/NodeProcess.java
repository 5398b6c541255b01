package io.leasehold.harness.process;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.Main;
import io.leasehold.harness.client.NodeClient;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One node as a child process of this one, started from the same classes or jar on the same Java.
 * It ends by itself when this process is gone. Safe for many threads.
 */
public final class NodeProcess implements AutoCloseable {

  /** From here on Java warns of what Netty and RocksDB do, on the stderr that is the node's. */
  private static final int JAVA_WITH_WARNINGS = 24;

  private static final Duration KILL_MAX = Duration.ofMinutes(1);

  private final NodePlan plan;
  private final Process process;
  private final Path errors;
  private @Nullable PauseGuard pause;
  private final CompletableFuture<String> ready = new CompletableFuture<>();

  private NodeProcess(NodePlan plan, Process process, Path errors) {
    this.plan = plan;
    this.process = process;
    this.errors = errors;
  }

  /**
   * Starts the process; does not wait for it to be ready.
   *
   * @throws UncheckedIOException when this machine cannot start it
   */
  public static NodeProcess start(NodePlan plan) {
    Path folder = plan.folder().toAbsolutePath();
    return start(plan, folder.resolveSibling(folder.getFileName() + ".err"));
  }

  /** As {@link #start(NodePlan)}, with another file for what it writes to stderr. */
  static NodeProcess start(NodePlan plan, Path errors) {
    List<String> command = new ArrayList<>(java(plan.jvmOptions()));
    command.addAll(plan.arguments());
    command.add("--end-with-stdin");
    try {
      Files.createDirectories(errors.getParent());
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
              .start();
      NodeProcess node = new NodeProcess(plan, process, errors);
      Thread reader = new Thread(node::readOutput, plan.id() + "-stdout");
      reader.setDaemon(true);
      reader.start();
      return node;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a process for node " + plan.id(), e);
    }
  }

  /** The command that starts the harness as another process. */
  public static List<String> java(List<String> jvmOptions) {
    return java(jvmOptions, Main.class);
  }

  /** The command that starts a program of the harness as another process. */
  public static List<String> java(List<String> jvmOptions, Class<?> program) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= JAVA_WITH_WARNINGS) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(part -> Path.of(part).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator)));
    command.add(program.getName());
    return command;
  }

  /** What it was started with. */
  public NodePlan plan() {
    return plan;
  }

  /** The node's name. */
  public String id() {
    return plan.id();
  }

  /** Where its HTTP interface is. */
  public HostPort http() {
    return plan.http();
  }

  /** A client for it. */
  public NodeClient client() {
    return NodeClient.of(plan.http());
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Its log file. */
  public Path log() {
    return plan.log();
  }

  /** What it wrote to stderr; normally empty. */
  public Path errors() {
    return errors;
  }

  /**
   * Waits until it serves HTTP; its cluster may still be without a leader then.
   *
   * @throws IllegalStateException when it ended instead, or it takes too long; says what it said
   */
  public void awaitReady(Duration limit) {
    try {
      ready.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "node " + id() + " ended instead of getting ready: " + errorText(), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "node " + id() + " was not ready within " + limit.toMillis() + " ms; its log is " + log(),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for node " + id(), e);
    }
  }

  /** Ends it with SIGKILL; returns when it is gone. Idempotent. */
  public void kill() {
    process.destroyForcibly();
    awaitExit(KILL_MAX);
  }

  /** Stops it where it stands (SIGSTOP): nothing in it runs until {@link #resume()}. */
  public synchronized void pause() {
    if (pause == null) {
      PauseGuard guard = PauseGuard.stop(pid());
      var unused = process.onExit().thenRun(guard::forget);
      pause = guard;
    }
  }

  /** Lets it go on after {@link #pause()}. */
  public synchronized void resume() {
    if (pause != null) {
      pause.goOn();
      pause = null;
    }
  }

  /** Whether it is stopped where it stands. */
  public synchronized boolean isPaused() {
    return pause != null && isAlive();
  }

  /** Asks it to end in order (SIGTERM); one that is paused would not hear it and is killed. */
  public void terminate() {
    if (isPaused()) {
      kill();
    } else {
      process.destroy();
    }
  }

  /**
   * Waits for its end.
   *
   * @return its exit code
   * @throws IllegalStateException when it is still there after the limit
   */
  public int awaitExit(Duration limit) {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "node " + id() + " was still there after " + limit.toMillis() + " ms");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the end of " + id(), e);
    }
  }

  /** Everything it has written to stderr. */
  public String errorText() {
    try {
      return Files.readString(errors, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "(nothing readable in " + errors + ")";
    }
  }

  /** Kills it if it is still there. Idempotent. */
  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }

  /** Takes the one line that says it is ready, and reads on so that the pipe never fills. */
  private void readOutput() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(plan.id() + " ready: ")) {
          ready.complete(line);
        }
      }
      ready.completeExceptionally(new IOException("end of output"));
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
  }
}
