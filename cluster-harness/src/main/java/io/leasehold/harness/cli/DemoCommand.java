package io.leasehold.harness.cli;

import io.leasehold.harness.demo.Demo;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows what it is all about. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Show on three processes of this machine what Leasehold promises.",
      "Contends for a lease, kills its holder, pauses a holder, kills the leader; tells what happens"
          + " and checks it. Takes less than 40 seconds, leaves nothing behind, and exits 0 only if"
          + " every promise held."
    })
final class DemoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private Narration narration;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  DemoCommand() {}

  @Override
  public Integer call() {
    return new Demo(narration.narrator(spec.commandLine().getOut())).play() ? 0 : 1;
  }
}
