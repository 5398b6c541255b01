package io.leasehold.store.rocks;

import io.leasehold.store.StoreStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;

/**
 * RocksDB's native code, loaded so that none of it is left on the disk.
 *
 * <p>RocksDB unpacks 15 MB into the temporary folder and deletes them when the process ends in
 * order, which one that is killed does not. But a library, once loaded, needs its name no longer:
 * here it is unpacked into a folder of its own, which is deleted at once. Where an open file cannot
 * be deleted, it goes when the process ends, as before. Safe for many threads.
 */
final class NativeLibrary {

  /** RocksDB's name for the folder to unpack into, for when the temporary one does not do. */
  private static final String FOLDER = "ROCKSDB_SHAREDLIB_DIR";

  private static boolean loaded;

  private NativeLibrary() {}

  /**
   * Loads it, if this process does not have it yet.
   *
   * @throws StoreStartException with one sentence, when that is not possible
   */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    String named = System.getenv(FOLDER);
    Path parent =
        Path.of(named == null || named.isEmpty() ? System.getProperty("java.io.tmpdir") : named);
    try {
      unpackAndLoad(parent);
    } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
      throw new StoreStartException(
          "the native library of RocksDB cannot be unpacked into %s and loaded (%s): make room there, or name a folder to write to and run code from in %s"
              .formatted(parent, e, FOLDER),
          e);
    }
    loaded = true;
  }

  private static void unpackAndLoad(Path parent) throws IOException {
    Path unpacked = Files.createTempDirectory(parent, "leasehold-rocksdb-");
    try {
      unpacked.toFile().deleteOnExit();
      NativeLibraryLoader.getInstance().loadLibrary(unpacked.toString());
    } finally {
      delete(unpacked);
    }
    RocksDB.loadLibrary(); // which finds it loaded
  }

  private static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.toList();
    }
    boolean deleted = true;
    for (Path file : files) {
      deleted &= file.toFile().delete();
    }
    if (deleted) {
      Files.delete(folder);
    }
  }
}
