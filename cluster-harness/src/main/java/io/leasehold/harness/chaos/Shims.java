package io.leasehold.harness.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Libraries loaded before all others into a node's process, which stand between it and the system:
 * they let the wall clock jump and sync fail or stall, as told by small files, and the clock run at
 * another rate. Need a C compiler, and libfaketime for the rate; where one is missing, what it
 * would do is not possible.
 */
final class Shims {

  private static final List<Path> FAKETIME =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"));

  private final Optional<Path> sharedObject;
  private final String whyNot;

  private Shims(Optional<Path> sharedObject, String whyNot) {
    this.sharedObject = sharedObject;
    this.whyNot = whyNot;
  }

  /** Compiles what can be compiled. */
  static Shims compile(Path folder) {
    try (InputStream source = Shims.class.getResourceAsStream("shim.c")) {
      if (source == null) {
        throw new IOException("shim.c is missing");
      }
      Path code = folder.resolve("shim.c");
      Path sharedObject = folder.resolve("shim.so");
      Files.write(code, source.readAllBytes());
      Shell.run(
          "cc", "-O2", "-shared", "-fPIC", "-o", sharedObject.toString(), code.toString(), "-ldl");
      return new Shims(Optional.of(sharedObject), "");
    } catch (IOException e) {
      return new Shims(Optional.empty(), "no C compiler: " + e.getMessage());
    }
  }

  static Optional<Path> faketime() {
    return FAKETIME.stream().filter(Files::isReadable).findFirst();
  }

  /** Whether the wall clock and the disk can be disturbed. */
  boolean isThere() {
    return sharedObject.isPresent();
  }

  /** The environment of a node's process whose clock runs at {@code rate}. */
  Map<String, String> environment(Path control, double rate) {
    List<String> preload = new ArrayList<>();
    Map<String, String> environment = new TreeMap<>();
    Optional<Path> faketime = faketime();
    if (rate != 1 && faketime.isPresent()) {
      preload.add(faketime.get().toString());
      environment.put("FAKETIME", "+0 x" + rate);
    }
    sharedObject.ifPresent(
        path -> {
          preload.add(path.toString());
          environment.put("SHIM_WALL", control.resolve("wall").toString());
          environment.put("SHIM_SYNC", control.resolve("sync").toString());
        });
    if (!preload.isEmpty()) {
      environment.put("LD_PRELOAD", String.join(":", preload));
    }
    return environment;
  }

  /** Shifts a node's wall clock by so many seconds from now on. */
  void shiftWall(Path control, String seconds) throws IOException, FaultNotPossibleException {
    tell(control.resolve("wall"), seconds);
  }

  /** Makes a node's sync {@code eio} or {@code delay MILLIS}; empty for as it was. */
  void disturbSync(Path control, String mode) throws IOException, FaultNotPossibleException {
    tell(control.resolve("sync"), mode);
  }

  private void tell(Path file, String text) throws IOException, FaultNotPossibleException {
    if (sharedObject.isEmpty()) {
      throw new FaultNotPossibleException(whyNot);
    }
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text + "\n");
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }
}
