package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README says what the code says. */
final class ReadmeTest {

  private static final Path README = Path.of("..", "README.md");
  private static final Path EXAMPLE =
      Path.of("src", "test", "java", "io", "leasehold", "raft", "ReadmeExample.java");

  @Test
  void showsTheExamplesThatAreCompiled() throws IOException {
    String examples = Files.readString(EXAMPLE);

    assertThat(Files.readString(README))
        .contains(shown(between(examples, "// readme begin\n", "    // readme end")))
        .contains(shown(between(examples, "// singleton begin\n", "    // singleton end")));
  }

  @Test
  void namesFilesThatAreThere() throws IOException {
    List<Path> linked =
        Files.readString(README)
            .lines()
            .flatMap(line -> Pattern.compile("]\\(([^):]+)\\)").matcher(line).results())
            .map(link -> Path.of("..", link.group(1).replaceFirst("#.*", "")))
            .toList();

    assertThat(linked).hasSizeGreaterThan(6).allSatisfy(path -> assertThat(path).exists());
  }

  @Test
  void namesTheVersionOfRocksDbThatIsUsed() throws IOException {
    String used =
        between(Files.readString(Path.of("..", "pom.xml")), "<rocksdb.version>", "</rocksdb");

    assertThat(Files.readString(README))
        .contains("<artifactId>rocksdbjni</artifactId>\n  <version>%s</version>\n".formatted(used));
  }

  private static String shown(String example) {
    return "```java\n%s\n```\n".formatted(example.stripTrailing().stripIndent());
  }

  private static String between(String text, String begin, String end) {
    int from = text.indexOf(begin) + begin.length();
    return text.substring(from, text.indexOf(end, from));
  }
}
