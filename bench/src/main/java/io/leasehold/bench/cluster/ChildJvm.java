package io.leasehold.bench.cluster;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another process on the Java and the class path of this one. */
public final class ChildJvm {

  private ChildJvm() {}

  /**
   * Starts a program.
   *
   * @param main its class
   * @param jvmOptions options of its JVM
   * @param errors where its standard error goes
   */
  public static Process start(
      Class<?> main, List<String> jvmOptions, List<String> arguments, Path errors)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectError(Redirect.to(errors.toFile())).start();
  }
}
