package io.leasehold.harness.demo;

import io.leasehold.harness.wire.Wire;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Tells it to programs: one JSON object a line, with {@code millis} since the start, {@code scene},
 * {@code kind} (scene, say, promise, end) and {@code text}; a promise has {@code held} and {@code
 * detail}, the end the counts {@code held} and {@code broken}. Confined to one thread.
 */
public final class JsonNarrator implements Narrator {

  private final PrintWriter out;
  private final LongSupplier nanos;
  private final long startNanos;
  private String scene = "start";

  /**
   * @param nanos elapsed time
   */
  public JsonNarrator(PrintWriter out, LongSupplier nanos) {
    this.out = out;
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
  }

  @Override
  public void scene(String id, String title) {
    scene = id;
    print("scene", title, Map.of());
  }

  @Override
  public void say(String text) {
    print("say", text, Map.of());
  }

  @Override
  public void promise(boolean held, String text, String detail) {
    Map<String, Object> more = new LinkedHashMap<>();
    more.put("held", held);
    more.put("detail", detail);
    print("promise", text, more);
  }

  @Override
  public void end(int held, int broken, Duration total) {
    Map<String, Object> more = new LinkedHashMap<>();
    more.put("held", held);
    more.put("broken", broken);
    print("end", broken == 0 ? "every promise held" : "not every promise held", more);
  }

  private void print(String kind, String text, Map<String, Object> more) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("millis", (nanos.getAsLong() - startNanos) / 1_000_000);
    line.put("scene", scene);
    line.put("kind", kind);
    line.put("text", text);
    line.putAll(more);
    out.println(Wire.text(line));
    out.flush();
  }
}
