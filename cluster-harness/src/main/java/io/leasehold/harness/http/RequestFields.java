package io.leasehold.harness.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.leasehold.harness.DurationNotation;
import io.leasehold.harness.wire.Wire;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;

/**
 * The fields of a request's JSON object. A field that nobody knows is refused rather than ignored:
 * a misspelt {@code wait} would otherwise turn a queued acquire into a mere try.
 */
public final class RequestFields {

  private final JsonNode object;

  private RequestFields(JsonNode object) {
    this.object = object;
  }

  /** Reads a body that may have the known fields and no other. */
  static RequestFields of(byte[] body, Set<String> known) {
    JsonNode tree;
    try {
      tree = Wire.tree(body);
    } catch (IOException | RuntimeException e) {
      throw Refusal.invalid("body", "body is not JSON, or names a field twice");
    }
    if (!tree.isObject()) {
      throw Refusal.invalid("body", "body must be a JSON object");
    }
    for (Iterator<String> names = tree.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw Refusal.invalid(
            name, "there is no such field here; there are " + new TreeSet<>(known));
      }
    }
    return new RequestFields(tree);
  }

  /** A text that must be there. */
  public String text(String field) {
    JsonNode value = object.get(field);
    if (value == null) {
      throw Refusal.invalid(field, field + " is missing");
    }
    if (!value.isTextual()) {
      throw Refusal.invalid(field, field + " must be a text");
    }
    return value.textValue();
  }

  /** A duration that must be there. */
  public Duration duration(String field) {
    String text = text(field);
    try {
      return DurationNotation.parse(text);
    } catch (IllegalArgumentException e) {
      throw Refusal.invalid(field, field + " " + e.getMessage());
    }
  }

  /** A duration that may be missing. */
  public Duration duration(String field, Duration otherwise) {
    return object.has(field) ? duration(field) : otherwise;
  }

  /** A yes or no that may be missing. */
  public boolean flag(String field, boolean otherwise) {
    JsonNode value = object.get(field);
    if (value == null) {
      return otherwise;
    }
    if (!value.isBoolean()) {
      throw Refusal.invalid(field, field + " must be true or false");
    }
    return value.booleanValue();
  }
}
