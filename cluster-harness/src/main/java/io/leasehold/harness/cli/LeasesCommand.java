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
      out.print(leases.isEmpty() ? "No lease is held.\n" : table.text());
    }
    out.flush();
    return 0;
  }

  private static String[] cells(LeaseRow lease) {
    return new String[] {
      lease.name(),
      lease.holder() == null ? "-" : lease.holder().owner(),
      lease.holder() == null ? "-" : lease.holder().node(),
      lease.fencingToken() == null ? "-" : lease.fencingToken().toString(),
      lease.ttlMillis() == null ? "-" : DurationNotation.of(Duration.ofMillis(lease.ttlMillis())),
      seconds(lease.remainingMillis()),
      Integer.toString(lease.waiters()),
      lease.revoked() ? "revoked, not confirmed yet" : ""
    };
  }

  private static String seconds(@Nullable Long millis) {
    return millis == null ? "-" : String.format(Locale.ROOT, "%.1fs", millis / 1000.0);
  }
}
