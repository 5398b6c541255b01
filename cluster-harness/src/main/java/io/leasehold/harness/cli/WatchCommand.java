package io.leasehold.harness.cli;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.EventText;
import io.leasehold.harness.wire.EventView;
import io.leasehold.harness.wire.Wire;
import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what happens, as it happens. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = {
      "Show what happens to leases, as it happens, until Ctrl-C.",
      "One line for each grant, release, expiry, takeover, revocation and leader change, and for"
          + " each loss that an owner on that very node is told of."
    })
final class WatchCommand implements Callable<Integer> {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  @Spec private CommandSpec spec;

  @Mixin private NodeAddress node;

  @Mixin private JsonOutput json;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "Only this lease (and leader changes).")
  private @Nullable String name;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  WatchCommand() {}

  @Override
  public Integer call() {
    NodeClient.await(node.client().events(this::print));
    throw new CommandFailedException("the node at " + node + " has ended the stream");
  }

  private void print(EventView event) {
    if (name != null && event.name() != null && !name.equals(event.name())) {
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        json.isWanted()
            ? Wire.text(event)
            : LocalTime.now(ZoneId.systemDefault()).format(TIME) + "  " + painted(event));
    out.flush();
  }

  private String painted(EventView event) {
    Ink ink = Ink.of(spec.commandLine());
    String text = EventText.of(event);
    return switch (event.event()) {
      case "granted" -> ink.paint(Style.fg_green, text);
      case "expired", "revoked", "lost" -> ink.paint(Style.fg_red, text);
      case "taken-over", "behind" -> ink.paint(Style.fg_yellow, text);
      case "leader" -> ink.paint(Style.fg_cyan, text);
      default -> text;
    };
  }
}
