package io.leasehold.harness.cli;

import io.leasehold.harness.DurationNotation;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.LeaseRow;
import io.leasehold.harness.wire.Wire;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows who holds what. */
@Command(
    name = "leases",
    mixinStandardHelpOptions = true,
    description = "Show who holds which lease, with which token, and for how long.")
final class LeasesCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private NodeAddress node;

  @Mixin private JsonOutput json;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  LeasesCommand() {}

  @Override
  public Integer call() {
    List<LeaseRow> leases = NodeClient.await(node.client().list());
    PrintWriter out = spec.commandLine().getOut();
    if (json.isWanted()) {
      leases.forEach(lease -> out.println(Wire.text(lease)));
    } else {
      Table table = new Table("LEASE", "OWNER", "NODE", "TOKEN", "TTL", "REMAINING", "WAITERS", "");
      leases.forEach(lease -> table.add(cells(lease)));
      out.print(leases.isEmpty() ? "No lease is held.\n" : table.text(Ink.of(spec.commandLine())));
    }
    out.flush();
    return 0;
  }

  private static Table.Cell[] cells(LeaseRow lease) {
    return new Table.Cell[] {
      new Table.Cell(lease.name(), Style.fg_cyan),
      Table.Cell.plain(lease.holder() == null ? "-" : lease.holder().owner()),
      Table.Cell.plain(lease.holder() == null ? "-" : lease.holder().node()),
      Table.Cell.plain(lease.fencingToken() == null ? "-" : lease.fencingToken().toString()),
      Table.Cell.plain(
          lease.ttlMillis() == null
              ? "-"
              : DurationNotation.of(Duration.ofMillis(lease.ttlMillis()))),
      Table.Cell.plain(seconds(lease.remainingMillis())),
      Table.Cell.plain(Integer.toString(lease.waiters())),
      new Table.Cell(lease.revoked() ? "revoked, not confirmed yet" : "", Style.fg_yellow)
    };
  }

  private static String seconds(@Nullable Long millis) {
    return millis == null ? "-" : String.format(Locale.ROOT, "%.1fs", millis / 1000.0);
  }
}
