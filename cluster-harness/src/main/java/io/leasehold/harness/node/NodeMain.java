package io.leasehold.harness.node;

import io.leasehold.harness.MemberList;
import io.leasehold.harness.http.HttpStartException;
import io.leasehold.store.StoreStartException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of a node process, from its start to its end in order. */
public final class NodeMain {

  private static final Logger LOG = LoggerFactory.getLogger(NodeMain.class);
  private static final int START_SECONDS_MAX = 15;

  private NodeMain() {}

  /**
   * Runs a node until this process is asked to end.
   *
   * @return the exit code, when the node could not start: 2 when an option is to blame, else 1;
   *     otherwise it does not return
   */
  public static int run(
      NodeOptions options,
      String logLevel,
      boolean endWithStdin,
      PrintWriter out,
      PrintWriter err) {
    try {
      if (!FolderClaim.take(options.folder())) {
        err.printf(
            "Node %s cannot start: %s is in use by another process: stop that one, or give this"
                + " node a folder of its own%n",
            options.id(), options.folder());
        err.flush();
        return 1;
      }
      NodeLog.toFile(options.folder().resolve(NodeLog.FILE), logLevel);
    } catch (IOException e) {
      NodeLog.silent(); // the store says what is wrong with the folder
    }
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> LOG.error("thread {} ended by a failure", thread.getName(), failure));

    CompletableFuture<HarnessNode> started = new CompletableFuture<>();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(started), "node-shutdown"));
    if (endWithStdin) {
      endWithStdin();
    }
    HarnessNode node;
    try {
      node = HarnessNode.start(options);
    } catch (RuntimeException e) {
      LOG.error("node {} cannot start", options.id(), e);
      started.completeExceptionally(e);
      err.println(sentence(options.id(), e));
      err.flush();
      return e instanceof IllegalArgumentException ? 2 : 1;
    }
    started.complete(node);
    out.println(
        options.id()
            + " ready: "
            + node.http().uri()
            + ", members "
            + MemberList.of(options.members()));
    node.waitsFor().ifPresent(why -> out.println(options.id() + " waits: " + why));
    out.flush();
    LOG.info("node {} is ready at {}", options.id(), node.http());
    awaitForEver();
    return 0;
  }

  /**
   * Ends the node in order, then the process with code 0: to be asked to end is no failure. A node
   * that is just starting is awaited first. Runs as the process' shutdown hook.
   */
  private static void end(CompletableFuture<HarnessNode> started) {
    if (started.isCompletedExceptionally()) {
      return; // it never ran; the exit code is the caller's
    }
    try {
      HarnessNode node = started.get(START_SECONDS_MAX, TimeUnit.SECONDS);
      LOG.info("asked to end");
      node.close();
      LOG.info("ended in order");
    } catch (ExecutionException | TimeoutException | InterruptedException | RuntimeException e) {
      LOG.warn("ended, but not in order", e);
    }
    NodeLog.flush();
    Runtime.getRuntime().halt(0);
  }

  private static void endWithStdin() {
    Thread reader =
        new Thread(
            () -> {
              try {
                System.in.transferTo(OutputStream.nullOutputStream());
              } catch (IOException e) {
                LOG.debug("stdin broke off", e);
              }
              LOG.info("the process that started this one is gone");
              System.exit(0);
            },
            "node-stdin");
    reader.setDaemon(true);
    reader.start();
  }

  /** A sentence of ours as it stands; anything else by its name too, and the log has the rest. */
  private static String sentence(String id, RuntimeException e) {
    boolean ours =
        e instanceof StoreStartException
            || e instanceof HttpStartException
            || e instanceof IllegalArgumentException;
    String reason =
        ours
            ? String.valueOf(e.getMessage())
            : "unexpected " + e.getClass().getSimpleName() + ": " + e.getMessage();
    return reason.startsWith("node " + id)
        ? "N" + reason.substring(1)
        : "Node " + id + " cannot start: " + reason;
  }

  private static void awaitForEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
