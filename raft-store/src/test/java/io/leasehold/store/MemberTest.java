package io.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be a member. */
final class MemberTest {

  @Test
  void itIsReadAsItIsWritten() {
    assertThat(Member.parse("n1=host.example:7101").address()).isEqualTo("host.example:7101");
    assertThat(Member.parse("n1=[::1]:7101").address()).isEqualTo("[::1]:7101");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"n1=a\nb:7101", "n1=a b:7101", "n1=\u001b[2J:7101", "a\nb=host:7101", "n1\u0000"})
  void whatCouldNotBeLoggedIsRefusedInASentenceThatCan(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Member.parse(text))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContainPattern("\\p{Cntrl}"));
  }
}
