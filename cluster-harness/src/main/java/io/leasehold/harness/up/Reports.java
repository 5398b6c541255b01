package io.leasehold.harness.up;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The reports of chaos runs: the one in a folder, or those in the folders in it, the newest first.
 * Safe for many threads.
 */
final class Reports {

  /** How a chaos run names the folder of its report when it is given none. */
  private static final String BY_DEFAULT = "leasehold-chaos-report-";

  private static final String FILE = "report.html";
  private static final int MAX = 20;

  private final Path folder;
  private final boolean isGiven;

  private Reports(Path folder, boolean isGiven) {
    this.folder = folder;
    this.isGiven = isGiven;
  }

  /**
   * A link to a report.
   *
   * @param name of the run's folder
   * @param atMillis when it was written, by the wall clock
   */
  record Link(String name, long atMillis) {}

  /** The reports in this folder, or in folders in it. */
  static Reports in(Path folder) {
    return new Reports(folder.toAbsolutePath(), true);
  }

  /** The reports of runs that were given no folder. */
  static Reports found() {
    return new Reports(Path.of(System.getProperty("java.io.tmpdir")), false);
  }

  /** Which there are now; none when the folder cannot be read. */
  List<Link> list() {
    if (isGiven && isOfARun(folder)) {
      return List.of(new Link(name(folder), written(folder)));
    }
    try (Stream<Path> inside = Files.list(folder)) {
      return inside
          .filter(this::isOfARun)
          .map(run -> new Link(name(run), written(run)))
          .sorted(Comparator.comparingLong(Link::atMillis).reversed())
          .limit(MAX)
          .toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  /** The file of a report that is listed. */
  Optional<Path> file(String name) {
    return list().stream()
        .filter(link -> link.name().equals(name))
        .map(link -> (isOfARun(folder) ? folder : folder.resolve(name)).resolve(FILE))
        .findFirst();
  }

  private boolean isOfARun(Path run) {
    return (isGiven || String.valueOf(run.getFileName()).startsWith(BY_DEFAULT))
        && Files.isRegularFile(run.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
  }

  private static String name(Path run) {
    return String.valueOf(run.getFileName());
  }

  private static long written(Path run) {
    try {
      return Files.getLastModifiedTime(run.resolve(FILE)).toMillis();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
