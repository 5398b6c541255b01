package io.leasehold.harness.check.history;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Samples in JSON, by hand: nine lines of ten are samples, and this is five times as fast as the
 * general way. The form is the same as that of all other lines.
 */
final class SampleJson {

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final String START = "{\"type\":\"sample\",";

  private SampleJson() {}

  /** Whether a line is a sample in the form that {@link #write} gives it. */
  static boolean isSample(String line) {
    return line.startsWith(START);
  }

  static byte[] write(Sample sample) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(200);
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("type", "sample");
      json.writeObjectFieldStart("handle");
      json.writeStringField("node", sample.handle().node());
      json.writeNumberField("run", sample.handle().run());
      json.writeStringField("owner", sample.handle().owner());
      json.writeStringField("lease", sample.handle().lease());
      json.writeEndObject();
      if (sample.token() != 0) {
        json.writeNumberField("token", sample.token());
      }
      if (sample.alive()) {
        json.writeBooleanField("alive", true);
      }
      json.writeNumberField("before", sample.before());
      json.writeNumberField("after", sample.after());
      if (sample.count() > 1) {
        json.writeNumberField("lastBefore", sample.lastBefore());
        json.writeNumberField("lastAfter", sample.lastAfter());
        json.writeNumberField("count", sample.count());
      }
      json.writeEndObject();
    }
    return bytes.toByteArray();
  }

  static Sample read(String line) throws IOException {
    Handle handle = null;
    long token = 0;
    boolean alive = false;
    long before = 0;
    long after = 0;
    long lastBefore = 0;
    long lastAfter = 0;
    int count = 1;
    try (JsonParser json = FACTORY.createParser(line)) {
      json.nextToken();
      for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
        json.nextToken();
        switch (field) {
          case "type" -> {}
          case "handle" -> handle = handle(json);
          case "token" -> token = json.getLongValue();
          case "alive" -> alive = json.getBooleanValue();
          case "before" -> before = json.getLongValue();
          case "after" -> after = json.getLongValue();
          case "lastBefore" -> lastBefore = json.getLongValue();
          case "lastAfter" -> lastAfter = json.getLongValue();
          case "count" -> count = json.getIntValue();
          default -> throw new IOException("a sample has no field " + field);
        }
      }
      requireEnd(json);
    }
    if (handle == null) {
      throw new IOException("a sample has a handle");
    }
    return new Sample(handle, token, alive, before, after, lastBefore, lastAfter, count);
  }

  private static Handle handle(JsonParser json) throws IOException {
    String node = null;
    String owner = null;
    String lease = null;
    int run = 0;
    for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
      json.nextToken();
      switch (field) {
        case "node" -> node = json.getText();
        case "run" -> run = json.getIntValue();
        case "owner" -> owner = json.getText();
        case "lease" -> lease = json.getText();
        default -> throw new IOException("a handle has no field " + field);
      }
    }
    requireEnd(json);
    return new Handle(present(node, "node"), run, present(owner, "owner"), present(lease, "lease"));
  }

  private static void requireEnd(JsonParser json) throws IOException {
    if (json.currentToken() != JsonToken.END_OBJECT) {
      throw new IOException("an object is not closed");
    }
  }

  private static String present(@Nullable String value, String field) throws IOException {
    if (value == null) {
      throw new IOException("a handle has a " + field);
    }
    return value;
  }
}
