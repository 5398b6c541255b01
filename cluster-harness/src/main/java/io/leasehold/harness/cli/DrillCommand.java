package io.leasehold.harness.cli;

import io.leasehold.harness.demo.Drill;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Does on three processes of this machine what those who operate a cluster have to do. */
@Command(
    name = "drill",
    mixinStandardHelpOptions = true,
    description = {
      "Do on three processes of this machine what operators have to do, and check the promises.",
      "rolling-restart: all nodes are restarted under load. backup: all that is held is saved, and a"
          + " new cluster begins with it. wiped-disk: a node loses its disk and takes its place"
          + " again. resize: three members become five and three again. full-disk: a node's disk"
          + " fills up and has room again (as root on Linux, to mount a small one). Each takes less"
          + " than two minutes. Exits 0 only if every promise held."
    })
final class DrillCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DRILL",
      description = "rolling-restart, backup, wiped-disk, resize or full-disk.")
  private String name;

  @Mixin private Narration narration;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  DrillCommand() {}

  @Override
  public Integer call() {
    Drill drill =
        Drill.of(name)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "there is no drill '%s'; there are %s".formatted(name, Drill.words())));
    return drill.play(narration.narrator(spec.commandLine().getOut())) ? 0 : 1;
  }
}
