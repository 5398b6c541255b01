package io.leasehold.harness.check.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a history line by line, so that its size does not matter. */
public final class HistoryReader {

  private HistoryReader() {}

  /**
   * Reads a whole history.
   *
   * @param events is given each event in the order of the file
   * @return the header
   * @throws UnreadableHistoryException when a line is not what the format says
   */
  public static HistoryHeader read(Path file, Consumer<HistoryEvent> events)
      throws UnreadableHistoryException {
    if (!Files.isRegularFile(file)) {
      throw new UnreadableHistoryException(
          file + " is no file: name the history.jsonl of a run of chaos");
    }
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String first = lines.readLine();
      if (first == null) {
        throw new UnreadableHistoryException(file + " is empty");
      }
      HistoryHeader header = header(file, first);
      readEvents(file, lines, 1, events);
      return header;
    } catch (IOException e) {
      throw new UnreadableHistoryException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a part that one process wrote. A last line that breaks off is left out: the process was
   * killed while it wrote it.
   */
  public static void readFragment(Path file, Consumer<HistoryEvent> events)
      throws UnreadableHistoryException {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      readEvents(file, lines, 0, events);
    } catch (IOException e) {
      throw new UnreadableHistoryException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static HistoryHeader header(Path file, String line) throws UnreadableHistoryException {
    try {
      return HistoryJson.HEADER_READER.readValue(line);
    } catch (JsonProcessingException e) {
      throw new UnreadableHistoryException(file + ":1: no header: " + reason(e), e);
    }
  }

  /** Without the library's picture of the source, which repeats the line. */
  private static String reason(Exception e) {
    String message =
        e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
    return String.valueOf(message);
  }

  private static void readEvents(
      Path file, BufferedReader lines, int linesBefore, Consumer<HistoryEvent> events)
      throws IOException, UnreadableHistoryException {
    int number = linesBefore;
    String line = lines.readLine();
    while (line != null) {
      number++;
      String next = lines.readLine();
      if (!line.isBlank()) {
        boolean mayBreakOff = next == null && linesBefore == 0;
        HistoryEvent event = event(file, number, line, mayBreakOff);
        if (event != null) {
          events.accept(event);
        }
      }
      line = next;
    }
  }

  private static @Nullable HistoryEvent event(
      Path file, int number, String line, boolean mayBreakOff) throws UnreadableHistoryException {
    try {
      return SampleJson.isSample(line)
          ? SampleJson.read(line)
          : HistoryJson.EVENT_READER.readValue(line);
    } catch (IOException | IllegalArgumentException e) {
      if (mayBreakOff) {
        return null;
      }
      throw new UnreadableHistoryException(file + ":" + number + ": " + reason(e), e);
    }
  }
}
