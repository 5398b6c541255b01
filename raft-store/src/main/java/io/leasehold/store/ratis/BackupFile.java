package io.leasehold.store.ratis;

import io.leasehold.store.BackupContents;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.codec.RowCodec;
import io.leasehold.store.rocks.RocksLeaseTable;
import io.leasehold.store.rocks.TableException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the table in one file, and the folders of a new cluster that begins with it. The file
 * is a ZIP archive, which has a checksum of each entry: {@code backup.properties}, then what is in
 * a snapshot.
 *
 * <p>What was granted after the copy was made is not in it. So the new cluster's tokens begin above
 * all that the old one can have granted since, however its clocks were set, and every session has
 * all of its time to live before it, counted from the moment at which somebody leads.
 */
public final class BackupFile {

  /** The format that this version writes, and the newest that it reads. */
  static final int FORMAT = 1;

  private static final String PROPERTIES = "backup.properties";
  private static final String TABLE = "table/";

  /** How far the clocks of who makes a backup and of who restores it may be apart. */
  private static final long CLOCKS_APART_SECONDS = 86_400;

  private static final int PROPERTIES_BYTES_MAX = 16 << 10;

  private final Path file;

  public BackupFile(Path file) {
    this.file = file;
  }

  /**
   * Writes it; when this returns it is on disk, and when it fails there is none.
   *
   * @param scratch where the copy is made: not there, on the table's file system, nobody else's
   * @return the last entry in it
   */
  long write(String cluster, RocksLeaseTable table, Path scratch, Clock wallClock)
      throws IOException {
    if (Files.exists(file)) {
      throw isThere(null);
    }
    Path folder = file.toAbsolutePath().resolveSibling(".");
    Path unfinished = Files.createTempFile(folder, ".leases-", ".unfinished");
    try {
      RowCodec.Applied at = table.checkpoint(scratch);
      if (at.index() == 0) {
        throw new IOException("this node has nothing of any cluster yet");
      }
      try (OutputStream out =
              Files.newOutputStream(
                  unfinished, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
          ZipOutputStream zip = new ZipOutputStream(out)) {
        zip.setLevel(Deflater.BEST_SPEED);
        zip.putNextEntry(new ZipEntry(PROPERTIES));
        zip.write(properties(cluster, at, wallClock).getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
        for (Path each : files(scratch)) {
          zip.putNextEntry(new ZipEntry(TABLE + each.getFileName()));
          Files.copy(each, zip);
          zip.closeEntry();
        }
      }
      DurableFiles.force(unfinished);
      publish(unfinished);
      DurableFiles.force(folder);
      return at.index();
    } finally {
      Files.deleteIfExists(unfinished);
      DurableFiles.deleteTree(scratch);
    }
  }

  /** By a link, which does not replace a file that somebody else has made meanwhile. */
  private void publish(Path unfinished) throws IOException {
    try {
      Files.createLink(file, unfinished);
    } catch (FileAlreadyExistsException e) {
      throw isThere(e);
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.move(unfinished, file); // where there are no links
    }
  }

  private IOException isThere(@Nullable Throwable cause) {
    return new IOException(file + " is there already", cause);
  }

  private static String properties(String cluster, RowCodec.Applied at, Clock wallClock) {
    return String.join(
        "\n",
        "# A copy of the leases of a cluster.",
        "format=" + FORMAT,
        "name=" + UUID.randomUUID(),
        "cluster=" + cluster,
        "term=" + at.term(),
        "index=" + at.index(),
        "takenAtSeconds=" + wallClock.instant().getEpochSecond(),
        "");
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /**
   * What a backup says of itself.
   *
   * @param name no other one has it
   */
  private record Contents(String name, String cluster, TermIndex at, long takenAtSeconds) {}

  /**
   * Makes the folder of one member of a new cluster. Every member's is made from the same file.
   *
   * @param config of that member; the cluster's name must not be the old one's, and the folder be
   *     empty
   * @throws StoreStartException with a sentence that says what to do
   */
  public BackupContents restore(StoreConfig config, Clock wallClock) {
    if (!Files.isRegularFile(file)) {
      throw new StoreStartException("there is no file " + file, null);
    }
    try (ZipFile zip = new ZipFile(file.toFile())) {
      Contents contents = contents(zip);
      if (contents.cluster().equals(config.cluster())) {
        throw new StoreStartException(
            "%s is a backup of cluster %s, of which members may still run: give the new cluster another name"
                .formatted(file, config.cluster()),
            null);
      }
      long seconds = wallClock.instant().getEpochSecond();
      if (seconds < contents.takenAtSeconds()) {
        throw new StoreStartException(
            "this machine's clock is before the time at which %s was made: set it right, for the new cluster's tokens begin by it"
                .formatted(file),
            null);
      }
      restore(zip, contents, config, seconds - contents.takenAtSeconds());
      return new BackupContents(
          contents.cluster(),
          contents.at().getIndex(),
          Instant.ofEpochSecond(contents.takenAtSeconds()));
    } catch (TableException | IOException | IllegalArgumentException e) {
      throw new StoreStartException(
          "%s cannot be restored into %s (%s): see that it is a whole backup, and to the disk"
              .formatted(file, config.folder(), reason(e)),
          e);
    }
  }

  private static String reason(Exception e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  private void restore(ZipFile zip, Contents contents, StoreConfig config, long ageSeconds)
      throws IOException {
    try (NodeFolder folder = NodeFolder.openEmpty(config)) {
      try {
        restore(zip, contents, folder, ageSeconds);
      } catch (IOException | RuntimeException e) {
        folder.clear();
        throw e;
      }
    }
  }

  private static void restore(ZipFile zip, Contents contents, NodeFolder folder, long ageSeconds)
      throws IOException {
    unpack(zip, folder.table());
    TermIndex at = contents.at();
    if (!SnapshotFiles.isOf(at, RocksLeaseTable.verifyCopy(folder.table()))) {
      throw new IOException("it does not have the entry that it says, " + at);
    }
    long lastToken;
    try (RocksLeaseTable table = RocksLeaseTable.open(folder.table())) {
      table.renewAll();
      lastToken = table.state().lastToken();
    }
    long floor = lastToken + TokenBase.after(ageSeconds + CLOCKS_APART_SECONDS);
    folder.begin(new NodeIdentity.Origin(contents.name(), floor));
  }

  /**
   * Java checks the checksums of an archive only where it is read from its beginning to its end.
   */
  private static InputStream read(ZipFile zip, ZipEntry entry) throws IOException {
    CRC32 checksum = new CRC32();
    try (InputStream in = new CheckedInputStream(zip.getInputStream(entry), checksum)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    if (checksum.getValue() != entry.getCrc()) {
      throw new IOException("its " + entry.getName() + " is damaged");
    }
    return zip.getInputStream(entry);
  }

  private Contents contents(ZipFile zip) throws IOException {
    ZipEntry entry = zip.getEntry(PROPERTIES);
    if (entry == null) {
      throw new IOException("it is no backup");
    }
    Properties properties = new Properties();
    try (InputStream in = read(zip, entry)) {
      properties.load(new ByteArrayInputStream(in.readNBytes(PROPERTIES_BYTES_MAX)));
    } catch (IllegalArgumentException e) {
      throw new IOException("its " + PROPERTIES + " is damaged", e);
    }
    String format = properties.getProperty("format", "");
    if (!format.equals(Integer.toString(FORMAT))) {
      throw new IOException(
          "it has format '%s', and this version reads %d".formatted(format, FORMAT));
    }
    return new Contents(
        name(properties.getProperty("name", "")),
        properties.getProperty("cluster", ""),
        TermIndex.valueOf(number(properties, "term"), number(properties, "index")),
        number(properties, "takenAtSeconds"));
  }

  private static String name(String text) throws IOException {
    if (!text.matches("[0-9a-f-]{36}")) {
      throw new IOException("its " + PROPERTIES + " is damaged: name");
    }
    return text;
  }

  private static long number(Properties properties, String name) throws IOException {
    String text = properties.getProperty(name, "");
    if (!text.matches("[0-9]{1,18}")) {
      throw new IOException("its " + PROPERTIES + " is damaged: " + name);
    }
    return Long.parseLong(text);
  }

  private static void unpack(ZipFile zip, Path table) throws IOException {
    Files.createDirectories(table);
    for (ZipEntry entry : tableFiles(zip)) {
      Path target = table.resolve(entry.getName().substring(TABLE.length()));
      try (InputStream in = read(zip, entry)) {
        Files.copy(in, target);
      }
      DurableFiles.force(target);
    }
    DurableFiles.force(table);
  }

  private static List<ZipEntry> tableFiles(ZipFile zip) throws IOException {
    List<ZipEntry> files = new ArrayList<>();
    for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
      ZipEntry entry = all.nextElement();
      if (!entry.getName().equals(PROPERTIES)) {
        if (!entry.getName().matches(TABLE + "[A-Za-z0-9][A-Za-z0-9._-]*")) {
          throw new IOException("it has a file that is none of a table");
        }
        files.add(entry);
      }
    }
    return files;
  }
}
