package io.leasehold.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What of others' text reaches a log or a terminal. */
final class QuotedTest {

  static Stream<Arguments> unfit() {
    return Stream.of(
        argumentSet("line end", "a\nb", "a\\u000ab"),
        argumentSet("return", "a\rb", "a\\u000db"),
        argumentSet("zero", "a\u0000b", "a\\u0000b"),
        argumentSet("escape sequence", "a\u001b[2Jb", "a\\u001b[2Jb"),
        argumentSet("delete", "a\u007fb", "a\\u007fb"),
        argumentSet("next line", "a\u0085b", "a\\u0085b"),
        argumentSet("line separator", "a\u2028b", "a\\u2028b"),
        argumentSet("right to left", "a\u202eb", "a\\u202eb"),
        argumentSet("half a character", "a\ud800b", "a\\ud800b"));
  }

  @ParameterizedTest
  @MethodSource("unfit")
  void whatIsNoCharacterToSeeIsEscaped(String text, String shown) {
    assertThat(Quoted.line(text)).isEqualTo(shown);
    assertThat(Quoted.text(text)).isEqualTo('"' + shown + '"');
  }

  @Test
  void otherTextStaysAsItIs() {
    assertThat(Quoted.line("ä 1 \ud83d\ude00 \"x\"")).isEqualTo("ä 1 \ud83d\ude00 \"x\"");
  }

  @Test
  void textIsCut() {
    assertThat(Quoted.line("x".repeat(401))).isEqualTo("x".repeat(400) + "…");
    assertThat(Quoted.text("x".repeat(81))).isEqualTo('"' + "x".repeat(80) + "…\"");
  }
}
