package io.leasehold.harness.up;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** The files that the page is made of. Immutable. */
final class PageAssets {

  private static final Map<String, String> TYPES =
      Map.of(
          "page.html", "text/html; charset=utf-8",
          "page.css", "text/css; charset=utf-8",
          "page.js", "text/javascript; charset=utf-8",
          "charts.js", "text/javascript; charset=utf-8",
          "icon.svg", "image/svg+xml");

  private final Map<String, Asset> all;

  /** A file and its type. */
  record Asset(String type, String text) {}

  private PageAssets(Map<String, Asset> all) {
    this.all = Map.copyOf(all);
  }

  static PageAssets load() {
    Map<String, Asset> all = new java.util.HashMap<>();
    TYPES.forEach((name, type) -> all.put(name, new Asset(type, read(name))));
    return new PageAssets(all);
  }

  /** The file of a name; the page itself has none. */
  Optional<Asset> find(String name) {
    return Optional.ofNullable(all.get(name.isEmpty() ? "page.html" : name));
  }

  private static String read(String name) {
    try (InputStream in = PageAssets.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the program is incomplete: " + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the program is damaged: " + name + " cannot be read", e);
    }
  }
}
