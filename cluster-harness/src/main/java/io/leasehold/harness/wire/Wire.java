package io.leasehold.harness.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/** JSON in and out. Safe for many threads. */
public final class Wire {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          // Members added by a newer node do not trouble an older caller; requests are checked
          // field by field where they come in.
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS.mappedFeature())
          .build();

  static {
    MAPPER
        .getFactory()
        .setStreamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(50).build());
  }

  private Wire() {}

  /** Writes a value on one line. */
  public static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON for " + value.getClass(), e);
    }
  }

  /** Reads a value of a type. */
  public static <T> T read(String text, Class<T> type) {
    try {
      return MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(
          "not the JSON of a " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Reads anything.
   *
   * @throws IOException when it is not one JSON value
   */
  public static JsonNode tree(byte[] text) throws IOException {
    return MAPPER.readTree(text);
  }
}
