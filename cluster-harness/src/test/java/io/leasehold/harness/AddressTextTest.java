package io.leasehold.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.store.Member;
import io.leasehold.text.Quoted;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressTextTest {

  @ParameterizedTest
  @CsvSource({
    "localhost:8081, localhost, 8081",
    "127.0.0.1:0, 127.0.0.1, 0",
    "[::1]:8081, ::1, 8081",
    "[fe80::1%eth0]:1, fe80::1%eth0, 1",
    "8081, 127.0.0.1, 8081",
    "http://127.0.0.1:8081, 127.0.0.1, 8081",
    "http://127.0.0.1:8081/, 127.0.0.1, 8081"
  })
  void addressIsRead(String text, String host, int port) {
    assertThat(HostPort.parse(text)).isEqualTo(new HostPort(host, port));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "a",
        "a:",
        ":80",
        "::1:80",
        "[::1]",
        "a:b",
        "a:-1",
        "a:65536",
        "a:999999",
        "a b:80",
        "https://a:80",
        "a:80/x",
        "[a:80"
      })
  void addressIsRefusedInOneLine(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostPort.parse(text))
        .withMessageNotContaining("\n");
  }

  @Test
  void addressIsWrittenAsItIsRead() {
    for (String text : List.of("localhost:8081", "[::1]:8081")) {
      assertThat(HostPort.parse(text)).hasToString(text);
      assertThat(HostPort.parse(text).uri()).hasToString("http://" + text);
    }
  }

  @Test
  void membersAreReadAndWritten() {
    String text = "n1=10.0.0.1:7101,n2=[::1]:7102,n3=host.example:7103";

    List<Member> members = MemberList.parse(text);

    assertThat(members)
        .containsExactly(
            new Member("n1", "10.0.0.1", 7101),
            new Member("n2", "::1", 7102),
            new Member("n3", "host.example", 7103));
    assertThat(MemberList.of(members)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "n1",
        "n1=",
        "n1=a",
        "n1=a:1,",
        "=a:1",
        "n1=a:0",
        "n1=a:65536",
        "n 1=a:1",
        "n1=a:1,n1=b:1",
        "n1=a:1,n2=a:1",
        "n1=::1:80"
      })
  void membersAreRefusedInOneLine(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemberList.parse(text))
        .withMessageNotContaining("\n");
  }

  @Test
  void foreignTextIsQuotedOnOneLine() {
    assertThat(Quoted.text("a\nb\u0000")).isEqualTo("\"a\\u000ab\\u0000\"");
    assertThat(Quoted.text("x".repeat(100))).isEqualTo("\"" + "x".repeat(80) + "…\"");
  }
}
