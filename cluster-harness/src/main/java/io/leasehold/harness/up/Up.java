package io.leasehold.harness.up;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.http.NodeHttp;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** A cluster to play with and its page, from their start until the process is asked to end. */
public final class Up {

  private Up() {}

  /**
   * Runs it; does not return unless it cannot start.
   *
   * @param folder where the data is, and stays; empty for a temporary folder
   * @param reports a folder of chaos reports; empty for those that are found
   * @throws IllegalArgumentException when one of these is wrong, with one sentence
   * @throws io.leasehold.harness.http.HttpStartException when it cannot listen there
   * @throws IllegalStateException when a node does not start; says what it said
   */
  public static void run(
      OptionalInt nodes,
      Optional<Path> folder,
      HostPort http,
      Optional<Path> reports,
      PrintWriter out) {
    NodeHttp.requireFree(http);
    ClusterFolder data =
        folder
            .map(path -> ClusterFolder.of(path, nodes))
            .orElseGet(() -> ClusterFolder.temporary(nodes));
    Playground playground = Playground.open(data);
    Runtime.getRuntime().addShutdownHook(new Thread(playground::close, "up-end"));
    playground.launch();
    playground.awaitServing();
    PageHttp page =
        PageHttp.start(http, playground, reports.map(Reports::in).orElseGet(Reports::found));
    out.printf(
        "%s run on this machine: %s%n",
        playground.ids().size() == 1 ? "One node" : playground.ids().size() + " nodes",
        playground.ids().stream()
            .map(id -> id + " (pid " + playground.process(id).pid() + ")")
            .collect(Collectors.joining(", ")));
    out.printf(
        "Their data is in %s%s.%n",
        data.path(), data.isTemporary() ? ", which is removed in the end" : " and stays there");
    out.printf(
        "The page: %s (Ctrl-C ends everything)%n",
        new HostPort(http.host(), page.port()).uri() + "/");
    out.flush();
    awaitForEver();
  }

  private static void awaitForEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
