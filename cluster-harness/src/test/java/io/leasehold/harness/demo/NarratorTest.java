package io.leasehold.harness.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.time.VirtualTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class NarratorTest {

  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text);
  private final VirtualTime time = new VirtualTime();

  @Test
  void textHasTheTimeOnTheLeftAndTheWordsWrapped() {
    play(narrator(StandardCharsets.UTF_8, false));

    assertThat(text)
        .hasToString(
            """
              0.00 s   begun

            1. A title
              1.50 s   ✓ it holds (12 ms)
              1.50 s   ✗ a long sentence a long sentence a long sentence a long sentence a long sentence a
                       long sentence

            1 of 2 promises did not hold.
            """);
  }

  @Test
  void lettersDoWhereThereAreNoTicks() {
    play(narrator(StandardCharsets.US_ASCII, false));

    assertThat(text.toString()).contains("ok it holds", "BROKEN: a long");
    assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(text.toString())).isTrue();
  }

  @Test
  void coloursAreOnlyForTerminals() {
    play(narrator(StandardCharsets.UTF_8, true));

    assertThat(text.toString()).contains("\u001b[32m✓ it holds (12 ms)\u001b[0m");
  }

  @Test
  void jsonIsOneObjectALine() {
    play(new JsonNarrator(out, time::nanos));

    assertThat(text.toString().lines())
        .hasSize(5)
        .contains(
            "{\"millis\":0,\"scene\":\"start\",\"kind\":\"say\",\"text\":\"begun\"}",
            "{\"millis\":1500,\"scene\":\"x\",\"kind\":\"promise\",\"text\":\"it holds\","
                + "\"held\":true,\"detail\":\"12 ms\"}",
            "{\"millis\":1500,\"scene\":\"x\",\"kind\":\"end\",\"text\":\"not every promise held\","
                + "\"held\":1,\"broken\":1}");
  }

  private TextNarrator narrator(Charset charset, boolean isColoured) {
    return new TextNarrator(out, charset, isColoured, time::nanos);
  }

  private void play(Narrator narrator) {
    narrator.say("begun");
    narrator.scene("x", "A title");
    time.advance(Duration.ofMillis(1500));
    narrator.promise(true, "it holds", Figures.of(Duration.ofMillis(12)));
    narrator.promise(false, "a long sentence ".repeat(6).strip(), "");
    narrator.end(1, 1, Duration.ofMillis(1500));
    out.flush();
  }
}
