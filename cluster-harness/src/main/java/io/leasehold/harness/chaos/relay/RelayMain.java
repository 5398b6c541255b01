package io.leasehold.harness.chaos.relay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The program that keeps a run's links where the harness itself cannot be: in a network namespace.
 * Each argument is a link, {@code LISTEN_HOST LISTEN_PORT TARGET_HOST TARGET_PORT}; each line on
 * standard input is about one, counted from 0: {@code LINK impose KEY CONDITION}, {@code LINK lift
 * KEY}, {@code LINK half-close}, {@code LINK drop}. It ends when its input does.
 */
public final class RelayMain {

  private RelayMain() {}

  /** Runs until whoever started it is gone. */
  public static void main(String[] arguments) throws IOException {
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    answers.println("@hello " + ProcessHandle.current().pid() + " " + System.nanoTime());
    List<Relay> relays = new ArrayList<>();
    for (String argument : arguments) {
      String[] words = argument.split(" ");
      relays.add(
          Relay.open(
              new InetSocketAddress(words[0], Integer.parseInt(words[1])),
              new InetSocketAddress(words[2], Integer.parseInt(words[3]))));
    }
    answers.println("@ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", 4);
      Relay relay = relays.get(Integer.parseInt(words[0]));
      switch (words[1]) {
        case "impose" -> relay.impose(words[2], LinkCondition.parse(words[3]));
        case "lift" -> relay.lift(words[2]);
        case "half-close" -> relay.halfClose();
        case "drop" -> relay.drop();
        default -> throw new IllegalArgumentException("no command: " + line);
      }
    }
    Runtime.getRuntime().halt(0);
  }
}
