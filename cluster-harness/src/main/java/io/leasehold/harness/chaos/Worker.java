package io.leasehold.harness.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * One start of a node's process, seen from outside: asks it, signals it, and hears of its end. Safe
 * for many threads.
 */
final class Worker {

  private final Process process;
  private final Writer questions;
  private final Map<String, CompletableFuture<String>> answers = new ConcurrentHashMap<>();

  private final LongSupplier clock;
  private final CompletableFuture<Long> ended;
  private volatile Optional<Hello> hello = Optional.empty();

  private Worker(Process process, LongSupplier clock) {
    this.process = process;
    this.clock = clock;
    this.ended = process.onExit().thenApply(gone -> clock.getAsLong());
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Starts it.
   *
   * @param log where it writes what is not an answer
   * @param clock ours
   */
  static Worker start(List<String> command, Path log, LongSupplier clock) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    Worker worker = new Worker(process, clock);
    Thread reader = new Thread(worker::read, "answers-of-" + process.pid());
    reader.setDaemon(true);
    reader.start();
    return worker;
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("@")) {
          int blank = line.indexOf(' ');
          String word = blank < 0 ? line.substring(1) : line.substring(1, blank);
          String rest = blank < 0 ? "" : line.substring(blank + 1);
          if (word.equals("hello")) {
            greet(rest.split(" "));
          } else {
            answer(word).complete(rest);
          }
        }
      }
    } catch (IOException e) {
      // It has ended; whoever waits for an answer gets none.
    }
  }

  private void greet(String[] words) {
    hello = Optional.of(new Hello(Long.parseLong(words[1]), clock.getAsLong()));
    answer("hello").complete(words[0]);
  }

  /**
   * What it said first, before it recorded anything.
   *
   * @param theirs a reading of its clock
   * @param heardAt a later one of ours
   */
  record Hello(long theirs, long heardAt) {}

  /** Returns when it came to life by its own clock; empty before it has said so. */
  Optional<Hello> hello() {
    return hello;
  }

  private CompletableFuture<String> answer(String word) {
    return answers.computeIfAbsent(word, unasked -> new CompletableFuture<>());
  }

  /**
   * Waits for something the process says by itself: {@code hello}, {@code ready}, {@code closed}.
   */
  String await(String word, Duration limit) throws IOException {
    return get(answer(word), word, limit);
  }

  /** Asks and waits for the answer. One question of a kind at a time. */
  String ask(String word, Duration limit) throws IOException {
    CompletableFuture<String> answer = new CompletableFuture<>();
    answers.put(word, answer);
    tell(word);
    return get(answer, word, limit);
  }

  /** Whether it has said a word, or given an answer. */
  boolean hasSaid(String word) {
    return answer(word).isDone();
  }

  /** Waits for its end. */
  boolean endsWithin(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void tell(String word) throws IOException {
    synchronized (questions) {
      questions.write(word + "\n");
      questions.flush();
    }
  }

  private static String get(CompletableFuture<String> answer, String word, Duration limit)
      throws IOException {
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + word, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("no answer to " + word + " within " + limit.toMillis() + " ms", e);
    }
  }

  /** Sends a signal to the node itself, not to the programs it was started through. */
  void signal(String name) throws IOException {
    Shell.run("kill", "-" + name, await("hello", Duration.ofSeconds(10)));
  }

  /** Stops the node where it is; one that has not come to life is killed. */
  void freeze() throws IOException {
    if (hasSaid("hello")) {
      signal("STOP");
    } else {
      kill();
    }
  }

  /** Kills the node, also before it has come to life, and whatever it was started through. */
  void kill() {
    if (hasSaid("hello")) {
      Shell.attempt("kill", "-KILL", answer("hello").getNow(""));
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns when it ended, by our clock; waits for that. */
  long endedAt() {
    return ended.join();
  }
}
