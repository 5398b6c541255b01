package io.leasehold.harness.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Text out of a request line, strictly: what is not UTF-8 after decoding is refused. */
public final class UrlText {

  private UrlText() {}

  /** The decoded segments of a raw path; a {@code %2F} stays inside its segment. */
  public static List<String> path(String raw) {
    return Arrays.stream(raw.substring(raw.startsWith("/") ? 1 : 0).split("/", -1))
        .map(segment -> decoded(segment, "path"))
        .toList();
  }

  /** The decoded fields of a raw query. */
  public static Map<String, String> query(@Nullable String raw) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (raw == null || raw.isEmpty()) {
      return fields;
    }
    for (String part : raw.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = decoded(equals < 0 ? part : part.substring(0, equals), "query");
      String value = equals < 0 ? "" : part.substring(equals + 1).replace("+", "%20");
      if (fields.put(name, decoded(value, name)) != null) {
        throw Refusal.invalid(name, name + " is given twice");
      }
    }
    return fields;
  }

  private static String decoded(String raw, String field) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        int high = i + 2 <= raw.length() - 1 ? Character.digit(raw.charAt(i + 1), 16) : -1;
        int low = i + 2 <= raw.length() - 1 ? Character.digit(raw.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          throw Refusal.invalid(field, field + " has a % that is not followed by two hex digits");
        }
        bytes.write(high * 16 + low);
        i += 2;
      } else if (c <= 0xFF) {
        // A caller that did not encode sent bytes; they arrive here as one char each.
        bytes.write(c);
      } else {
        throw Refusal.invalid(field, field + " has a character outside a URL");
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw Refusal.invalid(field, field + " is not UTF-8 once decoded");
    }
  }
}
