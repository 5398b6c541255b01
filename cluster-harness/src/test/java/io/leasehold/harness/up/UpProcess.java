package io.leasehold.harness.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command {@code up} as somebody starts it: from the jar. */
final class UpProcess implements AutoCloseable {

  private static final Path JAR = Path.of("target", "cluster-harness.jar").toAbsolutePath();
  private static final Pattern NODE = Pattern.compile("\\(pid ([0-9]+)\\)");
  private static final Pattern PAGE = Pattern.compile("The page: (http://\\S+/) ");

  private final Process process;
  private final String url;
  private final List<Long> nodes;

  private UpProcess(Process process, String url, List<Long> nodes) {
    this.process = process;
    this.url = url;
    this.nodes = nodes;
  }

  /** Starts it, and waits until it says that all is there. */
  static UpProcess start(Path temporary, String... options) throws IOException {
    assertThat(JAR).as("made by mvn package").isRegularFile();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-jar",
                JAR.toString(),
                "up"));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    List<Long> nodes = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      NODE.matcher(line).results().forEach(node -> nodes.add(Long.valueOf(node.group(1))));
      Matcher page = PAGE.matcher(line);
      if (page.find()) {
        return new UpProcess(process, page.group(1), nodes);
      }
    }
    throw new AssertionError("`up` has ended instead of running");
  }

  /** Where its page is. */
  String url() {
    return url;
  }

  /** The processes of its nodes, as they were started. */
  List<Long> nodes() {
    return nodes;
  }

  /** Asks it to end, as Ctrl-C does. */
  void terminate() throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("its end").isTrue();
  }

  /** Ends it with SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  static boolean isGone(long pid) {
    return ProcessHandle.of(pid).map(process -> !process.isAlive()).orElse(true);
  }

  @Override
  public void close() {
    process.destroyForcibly(); // its nodes end with it
  }
}
