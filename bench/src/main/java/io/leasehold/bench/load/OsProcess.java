package io.leasehold.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What Linux counts for a process, as /proc has it. */
record OsProcess(long pid) {

  /** The unit of /proc/PID/stat: USER_HZ, which is 100 on every architecture that runs Java. */
  private static final double TICKS_PER_SECOND = 100;

  /** Where the fields of /proc/PID/stat stand after the name, which may itself contain blanks. */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;

  /** The seconds that several processes have run on a CPU so far, all together. */
  static double cpuSeconds(List<Long> pids) {
    return pids.stream().mapToDouble(pid -> new OsProcess(pid).cpuSeconds()).sum();
  }

  /** The seconds that it has run on a CPU so far. */
  double cpuSeconds() {
    String stat = read("stat");
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
    return ticks / TICKS_PER_SECOND;
  }

  /** The bytes of memory that it occupies. */
  long residentBytes() {
    return field("status", "VmRSS:") * 1024;
  }

  /** The bytes that it has caused to be written to disk so far. */
  long writtenBytes() {
    return field("io", "write_bytes:");
  }

  int threads() {
    return (int) field("status", "Threads:");
  }

  private long field(String file, String key) {
    return read(file)
        .lines()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()).trim().split(" ")[0])
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + key + " in " + path(file)));
  }

  private String read(String file) {
    try {
      return Files.readString(path(file));
    } catch (IOException e) {
      throw new UncheckedIOException("process " + pid + " cannot be measured", e);
    }
  }

  private Path path(String file) {
    return Path.of("/proc", Long.toString(pid), file);
  }
}
