package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.store.StoreStartException;
import io.leasehold.store.ratis.TermNote.Noted;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a member finds of its vote when it starts, and in which term it goes on then. */
final class VoteFileTest {

  @TempDir Path root;
  private Path file;
  private Path beside;

  @BeforeEach
  void makeFolder() throws IOException {
    Path current = Files.createDirectories(root.resolve("group/current"));
    file = current.resolve("raft-meta");
    beside = current.resolve("raft-meta.tmp");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "what is written counts                      | 3 a | -   | 0 | 0 | 3 a",
        "a vote for nobody is one                    | 3   | -   | 0 | 0 | 3",
        "the power failed before the rename counted  | 2 a | 3 b | 0 | 0 | 3 b",
        "the same, when it had voted for nobody      | 3   | 3 b | 0 | 0 | 3 b",
        "the first vote of all was not renamed       | -   | 3 b | 0 | 0 | 3 b",
        "an old one beside it is forgotten           | 4 a | 3 b | 0 | 0 | 4 a",
        "a vote is never given twice                 | 3 a | 3 b | 0 | 0 | 3 a",
        "one beside it that is torn had not left     | 3 a | ?   | 0 | 0 | 3 a",
        "an empty one was noted                      | ?   | -   | 5 | 0 | 5 me",
        "an empty one, and a later one beside it     | ?   | 6 b | 5 | 0 | 6 b",
        "what was noted is later than what came back | 3 a | -   | 5 | 0 | 5 me",
        "what was noted is earlier                   | 6 a | -   | 5 | 0 | 6 a",
        "somebody leads in a later term already      | 3 a | -   | 0 | 4 | 4 me",
        "somebody leads in the term of its vote      | 4 a | -   | 0 | 4 | 4 a",
        "somebody leads in a term without its vote   | 4   | -   | 0 | 4 | 4 me",
      })
  void theLatestCounts(
      String what, String written, String besideIt, long noted, long inLog, String expected)
      throws IOException {
    write(file, written);
    write(beside, besideIt);
    TermNote.open(root).write(new Noted(noted, written != null && written.equals("?")));
    if (inLog > 0) {
      Files.write(file.resolveSibling("log_inprogress_0"), LogTailTest.segment(inLog));
    }

    open().restore(true);

    assertThat(vote()).isEqualTo(expected.strip());
    assertThat(TermNote.open(root).read().term()).as("the note, which is void now").isZero();
    open().restore(true);
    assertThat(vote()).isEqualTo(expected.strip());
  }

  @Test
  void anEmptyOneThatNobodyHasNotedIsRefused() throws IOException {
    write(file, "?");
    Files.write(file.resolveSibling("log_inprogress_0"), LogTailTest.segment(4));

    assertThatThrownBy(() -> open().restore(true))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("has lost its vote");
    assertThat(file).isEmptyFile();
  }

  /** It may have voted since in a later term, of which there is no trace. */
  @Test
  void anEmptyOneThatWasOnlyOldWhenItWasNotedIsRefused() throws IOException {
    write(file, "?");
    TermNote.open(root).write(new Noted(5, false));

    assertThatThrownBy(() -> open().restore(true))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("has lost its vote");
  }

  @Test
  void whoHasNeverBeenInTheGroupBeginsAnew() throws IOException {
    write(file, "?");

    open().restore(false);

    assertThat(file).doesNotExist();
  }

  @Test
  void whereMoreIsGoneThanTheVoteNothingIsMade() throws IOException {
    TermNote.open(root).write(new Noted(5, true));

    open().restore(true);

    assertThat(open().exists()).isFalse();
    assertThat(TermNote.open(root).read().term()).isEqualTo(5);
  }

  @Test
  void anEmptyOneIsNotedAtOnceAndLostWhenItStaysEmpty() throws IOException {
    write(file, "3 a");
    VoteFile votes = open();
    assertThat(votes.isLost(() -> 3)).isFalse();

    write(file, "?");
    assertThat(votes.isLost(() -> 4)).isFalse();
    assertThat(TermNote.open(root).read().term()).isEqualTo(4);

    assertThat(votes.isLost(() -> 5)).isTrue();
    votes.keep(6);
    assertThat(TermNote.open(root).read().term()).isEqualTo(6);
  }

  /** As when it cannot be made, or a candidacy has written its own over it. */
  @Test
  void anOldOneIsNotedAndNotLost() throws IOException {
    write(file, "3 a");
    VoteFile votes = open();

    assertThat(votes.isLost(() -> 4)).isFalse();
    assertThat(votes.isLost(() -> 4)).isFalse();
    assertThat(TermNote.open(root).read().term()).isEqualTo(4);

    write(file, "4 b");
    assertThat(votes.isLost(() -> 4)).isFalse();
    assertThat(TermNote.open(root).read().term()).isZero();
    votes.keep(6);
    assertThat(TermNote.open(root).read().term()).isEqualTo(6);
  }

  /** Else it would be believed when the file is empty again. */
  @Test
  void whatWasNotedIsVoidOnceThereIsAVoteAgain() throws IOException {
    write(file, "?");
    VoteFile votes = open();
    assertThat(votes.isLost(() -> 4)).isFalse();

    write(file, "5 a");

    assertThat(votes.isLost(() -> 5)).isFalse();
    votes.keep(5);
    assertThat(TermNote.open(root).read().term()).isZero();
  }

  private VoteFile open() throws IOException {
    return new VoteFile(root, root.resolve("group"), "me");
  }

  /**
   * @param what a term and a name; a question mark for an empty file, null for none
   */
  private static void write(Path to, String what) throws IOException {
    if (what == null) {
      return;
    }
    String[] words = (what + " ").split(" ", 2);
    Files.writeString(
        to,
        what.equals("?") ? "" : "#\nterm=%s\nvotedFor=%s\n".formatted(words[0], words[1].strip()));
  }

  private String vote() throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(Files.readString(file)));
    return (properties.getProperty("term") + " " + properties.getProperty("votedFor")).strip();
  }
}
