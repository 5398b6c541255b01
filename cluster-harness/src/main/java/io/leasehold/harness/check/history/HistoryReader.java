package io.leasehold.harness.check.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads a history line by line, so that its size does not matter. */
public final class HistoryReader {

  private static final String REMEDY = "name the history.jsonl of a run of chaos";

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
      throw new UnreadableHistoryException(file + " is no file: " + REMEDY);
    }
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String first = lines.readLine();
      if (first == null) {
        throw new UnreadableHistoryException(file + " is empty: " + REMEDY);
      }
      HistoryHeader header = header(file, first);
      readEvents(file, lines, 1, events);
      return header;
    } catch (CharacterCodingException e) {
      throw new UnreadableHistoryException(file + " is no text: " + REMEDY, e);
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
      throw new UnreadableHistoryException(
          file + ":1: no header of a history" + reason(e) + ": " + REMEDY, e);
    }
  }

  /** In brackets, when it is ours: what the library says is about classes and constructors. */
  private static String reason(Exception e) {
    Throwable ours = e instanceof JsonProcessingException ? e.getCause() : e;
    return ours instanceof IllegalArgumentException || ours instanceof IOException
        ? " (" + ours.getMessage() + ")"
        : "";
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
        boolean isLast = next == null;
        boolean mayBreakOff = isLast && linesBefore == 0;
        try {
          events.accept(event(line));
        } catch (IOException | IllegalArgumentException e) {
          if (!mayBreakOff) {
            String what = isLast ? ": breaks off in this line" : ": no line of a history";
            throw new UnreadableHistoryException(file + ":" + number + what + reason(e), e);
          }
        }
      }
      line = next;
    }
  }

  private static HistoryEvent event(String line) throws IOException {
    return SampleJson.isSample(line)
        ? SampleJson.read(line)
        : HistoryJson.EVENT_READER.readValue(line);
  }
}
