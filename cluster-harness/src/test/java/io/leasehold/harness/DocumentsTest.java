package io.leasehold.harness;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.check.Rule;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What sources and documents say of each other is there. A source refers to a document by its name
 * and to places in it by their numbers, as in {@code CASES.md, 44, 46} and {@code CORRECTNESS.md,
 * P8}.
 */
final class DocumentsTest {

  private static final Path TOP = Path.of(System.getProperty("basedir", "."), "..");
  private static final List<String> MODULES =
      List.of("lease-api", "raft-store", "lease-raft", "cluster-harness", "bench");

  private static final String LINE_OF_COMMENT = "\\R\\s*(?:\\*|//)?\\s*";
  private static final String PLACE = "(?:[APSLH]?\\d+|lemma \\d+|theorem \\d+)";
  private static final String PLACES = "((?:(?:,? | and )" + PLACE + "\\b)+)";

  private static String cases = "";
  private static String guide = "";
  private static String correctness = "";
  private static Map<String, String> sources = Map.of();

  @BeforeAll
  static void read() throws IOException {
    cases = Files.readString(TOP.resolve("lease-api/docs/CASES.md"));
    guide = Files.readString(TOP.resolve("lease-api/docs/GUIDE.md"));
    correctness = Files.readString(TOP.resolve("raft-store/docs/CORRECTNESS.md"));
    sources = new HashMap<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(TOP.resolve(module).resolve("src"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          sources.put(file.toString(), Files.readString(file));
        }
      }
    }
  }

  @Test
  void casesThatSourcesReferToAreInTheDocument() {
    Set<String> referred = places("CASES");

    assertThat(referred).hasSizeGreaterThan(60);
    assertThat(inRowsOf(cases)).containsAll(referred);
  }

  @Test
  void placesOfTheProofThatSourcesReferToAreInTheDocument() {
    Set<String> referred = places("CORRECTNESS");

    assertThat(referred).contains("P8", "lemma 1");
    assertThat(placesOfCorrectness()).containsAll(referred);
  }

  @Test
  void placesThatCasesAndGuideReferToAreInTheOtherDocuments() throws IOException {
    Path contract = TOP.resolve("lease-api/docs/CONTRACT.md");
    Set<String> known = found("(?m)^\\*\\*(R\\d+) ", Files.readString(contract));
    known.addAll(placesOfCorrectness());

    assertThat(known).containsAll(found("\\b([RPSL]\\d+)\\b(?=[,. |)])", cases + guide));
  }

  @Test
  void rulesOfHistoriesAreThoseOfTheJudge() {
    Map<String, String> inDocument =
        Pattern.compile("(?m)^\\| ([A-Z]+\\d*) \\| ([^|]+) \\|")
            .matcher(correctness)
            .results()
            .collect(toMap(row -> row.group(1), row -> row.group(2)));

    assertThat(inDocument)
        .isEqualTo(Arrays.stream(Rule.values()).collect(toMap(Rule::name, Rule::promise)));
  }

  @Test
  void classesAndTestsThatTheDocumentsNameAreThere() {
    Set<String> named = found("`([A-Z][a-z]\\w+(?:#\\w+)?)`", cases + correctness + guide);

    assertThat(named).hasSizeGreaterThan(100);
    assertThat(named).filteredOn(name -> !isThere(name)).isEmpty();
  }

  private static boolean isThere(String named) {
    String[] typeAndMember = named.split("#");
    String file = File.separator + typeAndMember[0] + ".java";
    Pattern member =
        Pattern.compile(typeAndMember.length == 1 ? "" : "\\b" + typeAndMember[1] + "(?: =|\\()");
    return sources.entrySet().stream()
        .filter(source -> source.getKey().endsWith(file))
        .anyMatch(source -> member.matcher(source.getValue()).find());
  }

  private static Set<String> placesOfCorrectness() {
    Set<String> places = found("(?m)^\\*\\*([APS]\\d+)\\b", correctness);
    places.addAll(found("(?m)^\\| ([A-Z]+\\d*) \\|", correctness));
    found("(?m)^\\*\\*((?:Lemma|Theorem) \\d+)\\b", correctness)
        .forEach(place -> places.add(place.replace('L', 'l').replace('T', 't')));
    return places;
  }

  /** Rows begin with their number, or with the numbers of several cases. */
  private static Set<String> inRowsOf(String document) {
    return found("(?m)^\\| ([\\d, ]+) \\|", document).stream()
        .flatMap(row -> Arrays.stream(row.split(", ")))
        .collect(toSet());
  }

  /** Every place of a document that some source refers to. */
  private static Set<String> places(String document) {
    Pattern reference = Pattern.compile("\\b" + document + "(?:\\.md)?" + PLACES);
    return sources.values().stream()
        .map(source -> source.replaceAll(LINE_OF_COMMENT, " "))
        .flatMap(source -> reference.matcher(source).results())
        .flatMap(places -> Pattern.compile(PLACE).matcher(places.group(1)).results())
        .map(MatchResult::group)
        .collect(toCollection(TreeSet::new));
  }

  private static Set<String> found(String regex, String text) {
    return Pattern.compile(regex)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(toCollection(TreeSet::new));
  }
}
