package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.ContractCluster.Capability;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class ContractDocumentTest {

  private static final Pattern RULE = Pattern.compile("(?m)^\\*\\*(R\\d+ .+)\\.\\*\\*$");

  @Test
  void documentAndKitHaveTheSameRules() throws IOException {
    List<String> inKit = rulesOfKit();

    List<String> inDocument = rulesOfDocument();

    assertThat(inDocument).containsExactlyInAnyOrderElementsOf(inKit);
  }

  @Test
  void numbersRunFromOneWithoutGaps() {
    List<Integer> numbers =
        rulesOfKit().stream()
            .map(rule -> Integer.valueOf(rule.substring(1, rule.indexOf(' '))))
            .sorted()
            .toList();

    assertThat(numbers).isEqualTo(Stream.iterate(1, n -> n + 1).limit(numbers.size()).toList());
  }

  @Test
  void documentHasEveryCapability() throws IOException {
    assertThat(document())
        .contains(Stream.of(Capability.values()).map(each -> "`" + each + "`").toList());
  }

  private static List<String> rulesOfKit() {
    return Arrays.stream(LeaseContract.class.getInterfaces())
        .flatMap(rules -> Arrays.stream(rules.getDeclaredMethods()))
        .filter(method -> method.isAnnotationPresent(DisplayName.class))
        .map(ContractDocumentTest::headline)
        .toList();
  }

  private static String headline(Method rule) {
    return rule.getAnnotation(DisplayName.class).value();
  }

  private static List<String> rulesOfDocument() throws IOException {
    return RULE.matcher(document()).results().map((MatchResult rule) -> rule.group(1)).toList();
  }

  private static String document() throws IOException {
    return Files.readString(Path.of(System.getProperty("basedir", "."), "docs", "CONTRACT.md"));
  }
}
