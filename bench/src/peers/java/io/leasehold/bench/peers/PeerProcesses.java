package io.leasehold.bench.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The processes of a peer, whose logs are in one folder. Confined to one thread. */
final class PeerProcesses implements AutoCloseable {

  /** As much heap as our own nodes have by default. */
  private static final String HEAP = "-Xmx512m";

  private static final long STOP_SECONDS_MAX = 5;

  private final Path folder;
  private final List<Process> processes = new ArrayList<>();

  PeerProcesses(Path folder) {
    this.folder = folder;
  }

  /** Starts a program of the machine. */
  void start(String name, List<String> command) {
    try {
      processes.add(
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(folder.resolve(name + ".log").toFile()))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot start " + command.get(0) + "; is it installed? See bench/README.md", e);
    }
  }

  /** Starts a JVM that has the classes of this one, and should {@link #endWithParent()}. */
  void startJava(String name, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(HEAP, "-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    start(name, command);
  }

  /**
   * Starts the members of a group but the first, which is this JVM's own.
   *
   * @param what each is told after its number
   */
  void startMembers(Class<?> main, int count, List<String> what) {
    for (int i = 1; i < count; i++) {
      List<String> arguments = new ArrayList<>(List.of(Integer.toString(i)));
      arguments.addAll(what);
      startJava("member" + i, main, arguments);
    }
  }

  /** Lets this process live as long as the one that started it, whatever ends that. */
  static void endWithParent() {
    Thread watch =
        new Thread(
            () -> {
              try (InputStream in = System.in) {
                in.transferTo(OutputStream.nullOutputStream());
              } catch (IOException alsoAnEnd) {
                // Nobody is there to read.
              }
              Runtime.getRuntime().halt(0);
            },
            "parent");
    watch.start();
  }

  /** These processes and this one, where the callers are. */
  List<Long> pids() {
    List<Long> pids = new ArrayList<>();
    pids.add(ProcessHandle.current().pid());
    processes.forEach(process -> pids.add(process.pid()));
    return pids;
  }

  @Override
  public void close() {
    processes.forEach(Process::destroy);
    for (Process process : processes) {
      try {
        if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
