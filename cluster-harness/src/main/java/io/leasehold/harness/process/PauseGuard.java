package io.leasehold.harness.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Keeps a process stopped where it stands. A stopped process cannot notice that the one which
 * started it is gone, so this small shell waits beside it: when the pipe to it breaks, it kills
 * what it has stopped. Safe for many threads.
 */
final class PauseGuard {

  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      kill -STOP "$0" || exit 1
      echo stopped
      read -r word
      case $word in
        on) kill -CONT "$0" ;;
        off) ;;
        *) kill -KILL "$0" ;;
      esac
      """;

  private final Process shell;

  private PauseGuard(Process shell) {
    this.shell = shell;
  }

  /**
   * Stops a process (SIGSTOP); returns when that is done.
   *
   * @throws IllegalStateException when it cannot be stopped
   */
  static PauseGuard stop(long pid) {
    try {
      Process shell =
          new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(pid))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader said = shell.inputReader(StandardCharsets.UTF_8);
      if (!"stopped".equals(said.readLine())) {
        throw new IllegalStateException("process " + pid + " cannot be stopped (SIGSTOP)");
      }
      return new PauseGuard(shell);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop process " + pid, e);
    }
  }

  /** Lets the process go on (SIGCONT); returns when that is done. */
  void goOn() {
    say("on");
    try {
      if (shell.waitFor() != 0) {
        throw new IllegalStateException("the paused process cannot go on (SIGCONT)");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a process is to go on", e);
    }
  }

  /** Has nothing more to guard: the process is gone. Idempotent. */
  void forget() {
    try {
      say("off");
    } catch (UncheckedIOException gone) {
      // It has ended already.
    }
  }

  private void say(String word) {
    try {
      shell.getOutputStream().write((word + "\n").getBytes(StandardCharsets.UTF_8));
      shell.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the guard of a paused process is gone", e);
    }
  }
}
