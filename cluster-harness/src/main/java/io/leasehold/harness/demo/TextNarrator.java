package io.leasehold.harness.demo;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Tells it in plain words, with the time of each event on the left. Confined to one thread. */
public final class TextNarrator implements Narrator {

  private static final int TEXT_WIDTH = 84;
  private static final String INDENT = " ".repeat(11);

  private final PrintWriter out;
  private final LongSupplier nanos;
  private final long startNanos;
  private final boolean isColoured;
  private final String held;
  private final String broken;
  private int scenes;

  /**
   * @param charset what the writer writes; where it lacks a tick, letters do
   * @param nanos elapsed time
   */
  public TextNarrator(PrintWriter out, Charset charset, boolean isColoured, LongSupplier nanos) {
    this.out = out;
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
    this.isColoured = isColoured;
    boolean hasTicks = charset.newEncoder().canEncode("✓✗");
    this.held = hasTicks ? "✓" : "ok";
    this.broken = hasTicks ? "✗" : "BROKEN:";
  }

  @Override
  public void scene(String id, String title) {
    scenes++;
    out.println();
    out.println(painted("1", scenes + ". " + title));
    out.flush();
  }

  @Override
  public void say(String text) {
    print(wrapped(text));
  }

  @Override
  public void promise(boolean isHeld, String text, String detail) {
    List<String> lines = wrapped((isHeld ? held : broken) + " " + text + suffix(detail));
    lines.replaceAll(line -> painted(isHeld ? "32" : "31;1", line));
    print(lines);
  }

  @Override
  public void end(int heldCount, int brokenCount, Duration total) {
    out.println();
    out.println(
        brokenCount == 0
            ? painted("32;1", "All " + heldCount + " promises held, in " + Figures.of(total) + ".")
            : painted(
                "31;1",
                brokenCount + " of " + (heldCount + brokenCount) + " promises did not hold."));
    out.flush();
  }

  private void print(List<String> lines) {
    double seconds = (nanos.getAsLong() - startNanos) / 1e9;
    String time = String.format(Locale.ROOT, "%6.2f s   ", seconds);
    out.println(painted("2", time) + lines.get(0));
    lines.stream().skip(1).forEach(line -> out.println(INDENT + line));
    out.flush();
  }

  private String painted(String code, String text) {
    return isColoured ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  private static String suffix(String detail) {
    return detail.isEmpty() ? "" : " (" + detail + ")";
  }

  private static List<String> wrapped(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (line.length() > 0 && line.length() + 1 + word.length() > TEXT_WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
