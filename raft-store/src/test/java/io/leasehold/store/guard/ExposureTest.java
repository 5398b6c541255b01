package io.leasehold.store.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreNode;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.TlsFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a node without TLS runs, and where not. */
final class ExposureTest {

  @TempDir Path root;

  private StoreConfig config(String members) {
    return StoreConfig.of("test", "n1", Member.parseAll(members), root.resolve("n1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"n1=127.0.0.1:7101", "n1=localhost:7101,n2=127.9.9.9:7101", "n1=[::1]:7101"})
  void onLoopbackItRuns(String members) {
    assertThat(Exposure.of(config(members))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"n1=10.0.0.1:7101", "n1=[2001:db8::1]:7101", "n1=0.0.0.0:7101"})
  void elsewhereItDoesNot(String members) {
    assertThat(Exposure.of(config(members)))
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .startsWith("node n1 would listen without TLS on ")
                    .contains("StoreConfig.withTls", "StoreConfig.withInsecureNetwork"));
  }

  @Test
  void norWithMembersElsewhere() {
    assertThat(Exposure.of(config("n1=127.0.0.1:7101,n2=10.0.0.2:7101")))
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .startsWith(
                        "node n1 would speak without TLS with n2 at 10.0.0.2:7101, which is not"
                            + " this machine: "));
  }

  @Test
  void norOnAWildcard() {
    assertThat(Exposure.of(config("n1=127.0.0.1:7101").withBindHost("0.0.0.0"))).isPresent();
  }

  @Test
  void withTlsOrWhenToldItRunsAnywhere() {
    StoreConfig open = config("n1=10.0.0.1:7101,n2=10.0.0.2:7101");
    TlsFiles files = new TlsFiles(Path.of("key"), Path.of("certificate"), Path.of("trusted"));

    assertThat(Exposure.of(open.withInsecureNetwork())).isEmpty();
    assertThat(Exposure.of(open.withTls(files))).isEmpty();
  }

  @Test
  void itSaysSoWhenItIsStartedAndLeavesNothing() {
    StoreConfig config = config("n1=127.0.0.1:7101").withBindHost("0.0.0.0");

    assertThatExceptionOfType(StoreStartException.class)
        .isThrownBy(() -> StoreNode.start(config))
        .withMessageContaining("would listen without TLS on 0.0.0.0");
    assertThat(config.folder()).doesNotExist();
  }
}
