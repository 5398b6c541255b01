package io.leasehold.store.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code node.term}: a term in which a member was while its vote on disk was empty, or an older
 * one. The file has its size from the beginning and is written in place, so that it can be written
 * on a full disk. Confined to one thread at a time.
 */
final class TermNote {

  static final String FILE = "node.term";

  private static final String FORM = "%s=%019d;";
  private static final Pattern WRITTEN = Pattern.compile("(lost|late)=0([0-9]{18});");

  private final Path file;

  private TermNote(Path file) {
    this.file = file;
  }

  /** Opens a folder's note; makes it, with nothing noted, if it is not there. */
  static TermNote open(Path root) throws IOException {
    TermNote note = new TermNote(root.resolve(FILE));
    if (!Files.exists(note.file)) {
      note.write(Noted.NOTHING);
      DurableFiles.force(root);
    }
    return note;
  }

  /**
   * What is noted.
   *
   * @param term 0 when nothing is
   * @param lost whether the vote was empty, and not only older
   */
  record Noted(long term, boolean lost) {

    static final Noted NOTHING = new Noted(0, false);
  }

  /** Returns what is noted; nothing when it cannot be told. */
  Noted read() throws IOException {
    String written = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    Matcher matcher = WRITTEN.matcher(written);
    return matcher.matches()
        ? new Noted(Long.parseLong(matcher.group(2)), matcher.group(1).equals("lost"))
        : Noted.NOTHING;
  }

  /** Notes a term; it is on disk when this returns. */
  void write(Noted noted) throws IOException {
    String written = FORM.formatted(noted.lost ? "lost" : "late", noted.term);
    ByteBuffer bytes = ByteBuffer.wrap(written.getBytes(StandardCharsets.ISO_8859_1));
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
  }
}
