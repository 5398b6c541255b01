package io.leasehold.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ObjectNameTest {

  @Test
  void nameThatKubernetesAllowsStays() {
    assertThat(Stream.of("printer", "p", "printer-7.floor.2", "n".repeat(253)))
        .allSatisfy(name -> assertThat(ObjectName.of(name)).isEqualTo(name));
  }

  @Test
  void anyOtherNameBecomesAHashThatKubernetesAllows() {
    assertThat(
            Stream.of("Printer", "a/b", "-a", "a..b", "a.", "café", "😀", "n".repeat(254), "a b"))
        .allSatisfy(
            name -> assertThat(ObjectName.of(name)).matches("leasehold\\.sha256\\.[0-9a-f]{64}"));
  }

  @Test
  void differentLeasesHaveDifferentObjects() {
    String hashed = ObjectName.of("Printer");

    assertThat(Stream.of("Printer", "printer", "PRINTER", hashed, "printer ").map(ObjectName::of))
        .doesNotHaveDuplicates();
  }
}
