package io.leasehold.harness.check;

import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The report as one HTML file that needs nothing else: the page, its style, its script and its data
 * are put together here.
 */
final class HtmlReport {

  private static final ObjectWriter JSON = JsonMapper.builder().build().writer();

  private HtmlReport() {}

  static void write(Path file, History history, Verdict verdict) throws IOException {
    String page =
        resource("report.html")
            .replace("/*STYLE*/", resource("report.css"))
            .replace("/*SCRIPT*/", resource("report.js"))
            .replace("/*DATA*/", data(history, verdict));
    Files.writeString(file, page);
  }

  /** Inside a script element nothing may look like the end of one. */
  private static String data(History history, Verdict verdict) throws IOException {
    return JSON.writeValueAsString(ReportData.of(history, verdict)).replace("<", "\\u003c");
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the program is incomplete: " + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
