package io.leasehold.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Bytes that versions have written, to be read for ever: files with a line for each value, its name
 * and its bytes in hexadecimal. A line is never changed; a new kind of value is a new line.
 */
public final class Fixtures {

  private Fixtures() {}

  /** Checks that a file has exactly these values, and that they are still written so. */
  public static <T> void check(
      Class<?> owner,
      String file,
      Map<String, T> values,
      Function<T, byte[]> encode,
      Function<byte[], T> decode) {
    Map<String, byte[]> lines = read(owner, file);

    values.forEach(
        (name, value) -> {
          byte[] bytes = lines.remove(name);
          if (bytes == null) {
            String hex = HexFormat.of().formatHex(encode.apply(value));
            fail("%s lacks a value. If it is new, add this line:%n%s %s", file, name, hex);
            return;
          }
          assertThat(decode.apply(bytes)).as("%s in %s", name, file).isEqualTo(value);
          assertThat(encode.apply(value)).as("%s as written now", name).isEqualTo(bytes);
        });
    assertThat(lines.keySet()).as("lines of %s without a value", file).isEmpty();
  }

  private static Map<String, byte[]> read(Class<?> owner, String file) {
    Map<String, byte[]> lines = new LinkedHashMap<>();
    try (InputStream in = owner.getResourceAsStream(file)) {
      if (in == null) {
        return lines;
      }
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" ", 2))
          .forEach(
              line -> lines.put(line[0], HexFormat.of().parseHex(line.length == 1 ? "" : line[1])));
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
