package io.leasehold.store.ratis;

import io.leasehold.store.StoreStartException;
import io.leasehold.store.ratis.TermNote.Noted;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ratis' file of this member's term and vote, {@code raft-meta}, and what keeps it from being
 * forgotten. Safe for many threads.
 *
 * <p>Ratis writes a temporary file, forces it to disk and renames it, and forgets to force the
 * rename: after a power failure the old vote may be there, and the new one beside it. When the
 * temporary file cannot be written, as on a full disk, it is renamed all the same, and the vote is
 * empty; when it cannot be made, the old vote stays, and entries of the new term are appended; and
 * a candidacy that meets a vote in a later term may write its own over it. No vote leaves that is
 * not in the file, but earlier ones have left.
 *
 * <p>So at a start the latest of what is there counts: the file, the temporary one, what a running
 * member has noted that was not in the file, and the term of the log's last entry, in which
 * somebody leads already. An empty file that nobody has noted is refused.
 */
final class VoteFile {

  private static final Logger LOG = LoggerFactory.getLogger(VoteFile.class);
  private static final String TERM = "term";
  private static final String VOTED_FOR = "votedFor";

  private final Path root;
  private final Path group;
  private final Path file;
  private final String node;
  private final TermNote note;
  private boolean missed;
  private boolean noted;

  /**
   * @param root the node's folder
   * @param group the folder that Ratis keeps in it for the group
   */
  VoteFile(Path root, Path group, String node) throws IOException {
    this.root = root;
    this.group = group;
    this.file = group.resolve("current").resolve("raft-meta");
    this.node = node;
    this.note = TermNote.open(root);
  }

  /**
   * @param votedFor empty when nobody has the vote of that term
   */
  private record Vote(long term, String votedFor) {

    /** What was noted without a name must not be given to anybody. */
    boolean replaces(Vote other) {
      return term > other.term
          || (term == other.term && other.votedFor.isEmpty() && !votedFor.isEmpty());
    }

    static Vote later(Vote one, Vote other) {
      return other.replaces(one) ? other : one;
    }
  }

  /** Whether Ratis has ever made it, and it has not been taken away. */
  boolean exists() {
    return Files.isRegularFile(file);
  }

  /** Makes it, in a folder that is restored: this member has voted for nobody in that term. */
  void make(long term) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    write(new Vote(term, ""));
  }

  /**
   * Puts the latest vote into the file; to be called before Ratis reads it.
   *
   * @param joined whether the member has ever been in the group
   * @throws StoreStartException if the vote is lost
   */
  synchronized void restore(boolean joined) throws IOException {
    Optional<Vote> written = read(file);
    if (!joined) {
      if (written.isEmpty()) {
        Files.deleteIfExists(file); // Nothing was promised yet: Ratis begins anew.
      }
      return;
    }
    Noted found = note.read();
    Optional<Vote> beside = read(file.resolveSibling(file.getFileName() + ".tmp"));
    if (!exists() && beside.isEmpty()) {
      return; // More than the vote is gone.
    }
    Vote latest =
        Stream.of(written, beside, forItself(termToBelieve(found, written)))
            .flatMap(Optional::stream)
            .reduce(Vote::later)
            .orElseThrow(this::lost);
    latest = Vote.later(latest, forItself(LogTail.lastTerm(group)).orElse(latest));
    if (!written.equals(Optional.of(latest))) {
      write(latest);
      LOG.warn("node {} had not got its vote on disk, and goes on in term {}", node, latest.term);
    }
    if (found.term() != 0) {
      note.write(Noted.NOTHING); // Votes will follow of which it knows nothing.
    }
  }

  /** A note of an old vote knows nothing of the votes until the file was emptied. */
  private static long termToBelieve(Noted found, Optional<Vote> written) {
    return found.lost() || written.isPresent() ? found.term() : 0;
  }

  private StoreStartException lost() {
    return new StoreStartException(
        "folder %s has lost its vote, as on a full disk, and nothing says which it was: %s"
            .formatted(root, StartFailures.LOST),
        null);
  }

  private Optional<Vote> forItself(long term) {
    return term == 0 ? Optional.empty() : Optional.of(new Vote(term, node));
  }

  /**
   * Looks after the file while the server runs. What is not in it is noted, as the process may end;
   * a vote in a later term, if one is under way, leaves only once it is in the file.
   *
   * @param term reads in which one the member is
   * @return whether the file is empty, and was the last time: it may be for a moment
   */
  synchronized boolean isLost(LongSupplier term) throws IOException {
    boolean before = missed;
    missed = isEmpty();
    keep(term.getAsLong());
    return missed && before;
  }

  /** Notes in which term the server is, or has stopped, if that is not in the file. */
  synchronized void keep(long term) throws IOException {
    Optional<Vote> written = read(file);
    if (written.isEmpty() || written.get().term < term) {
      note.write(new Noted(term, written.isEmpty()));
      noted = true;
    } else if (noted) {
      note.write(Noted.NOTHING);
      noted = false;
    }
  }

  private boolean isEmpty() throws IOException {
    return exists() && Files.size(file) == 0;
  }

  /** Returns what a file says; empty when it is not there or not whole. */
  private static Optional<Vote> read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    String term = properties.getProperty(TERM, "");
    String votedFor = properties.getProperty(VOTED_FOR);
    return text.endsWith("\n") && votedFor != null && term.matches("[0-9]{1,18}")
        ? Optional.of(new Vote(Long.parseLong(term), votedFor))
        : Optional.empty();
  }

  private void write(Vote vote) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(TERM, Long.toString(vote.term));
    properties.setProperty(VOTED_FOR, vote.votedFor);
    StringWriter text = new StringWriter();
    properties.store(text, null);
    DurableFiles.replace(file, List.of(text.toString()));
  }
}
