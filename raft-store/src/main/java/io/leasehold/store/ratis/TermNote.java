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
 * {@code node.term}: the term in which a member had to leave its group because its vote could not
 * be written. The file has its size from the beginning and is written in place, so that it can be
 * written on a full disk. Confined to one thread at a time.
 */
final class TermNote {

  static final String FILE = "node.term";

  private static final String FORM = "term=%019d;";
  private static final Pattern WRITTEN = Pattern.compile("term=0([0-9]{18});");

  private final Path file;

  private TermNote(Path file) {
    this.file = file;
  }

  /** Opens a folder's note; makes it, with nothing noted, if it is not there. */
  static TermNote open(Path root) throws IOException {
    TermNote note = new TermNote(root.resolve(FILE));
    if (!Files.exists(note.file)) {
      note.write(0);
      DurableFiles.force(root);
    }
    return note;
  }

  /** Returns the term noted; 0 when none is, or it cannot be told. */
  long read() throws IOException {
    String written = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    Matcher matcher = WRITTEN.matcher(written);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
  }

  /** Notes a term; it is on disk when this returns. */
  void write(long term) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(FORM.formatted(term).getBytes(StandardCharsets.ISO_8859_1));
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
  }
}
