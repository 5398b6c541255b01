package io.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class StoreConfigTest {

  private static final Path FOLDER = Path.of("folder");
  private static final Member N1 = new Member("n1", "127.0.0.1", 7001);
  private static final Member N2 = new Member("n2", "127.0.0.1", 7002);

  @Test
  void listensOnTheAddressOfItsOwnMemberUnlessTold() {
    StoreConfig config = StoreConfig.of("c", "n2", List.of(N1, N2), FOLDER);

    assertThat(config.self()).isEqualTo(N2);
    assertThat(config.bindHost()).isEqualTo("127.0.0.1");
    assertThat(config.withBindHost("0.0.0.0").bindHost()).isEqualTo("0.0.0.0");
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void saysWhatIsWrong(ThrowingCallable configuring, String message) {
    assertThatThrownBy(configuring)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        refusal(
            "a stranger",
            () -> StoreConfig.of("c", "n3", List.of(N1, N2), FOLDER),
            "nodeId must be one of the members [n1, n2]: n3"),
        refusal(
            "null for the members",
            () -> StoreConfig.of("c", "n1", absent(), FOLDER),
            "members must not be null, nor any of them: null"),
        refusal(
            "null among the members",
            () -> StoreConfig.of("c", "n1", Arrays.asList(N1, absent()), FOLDER),
            "members must not be null, nor any of them: [Member["),
        refusal(
            "null for the cluster",
            () -> StoreConfig.of(absent(), "n1", List.of(N1), FOLDER),
            "cluster must be 1 to 128"),
        refusal(
            "null for the node",
            () -> StoreConfig.of("c", absent(), List.of(N1), FOLDER),
            "nodeId must be one of the members [n1]: null"),
        refusal(
            "null for the folder",
            () -> StoreConfig.of("c", "n1", List.of(N1), absent()),
            "folder must not be null"),
        refusal(
            "null for a timeout",
            () -> StoreConfig.of("c", "n1", List.of(N1), FOLDER).withReadTimeout(absent()),
            "readTimeout must not be null"),
        refusal("a member without a host", () -> new Member("n1", absent(), 1), "n1 needs a host"),
        refusal("a member without an id", () -> new Member(absent(), "h", 1), "member id must be"),
        refusal("no members", () -> StoreConfig.of("c", "n1", List.of(), FOLDER), "nodeId must be"),
        refusal(
            "an id twice",
            () -> StoreConfig.of("c", "n1", List.of(N1, new Member("n1", "127.0.0.1", 9)), FOLDER),
            "member id given twice: n1"),
        refusal(
            "an address twice",
            () ->
                StoreConfig.of("c", "n1", List.of(N1, new Member("n2", "127.0.0.1", 7001)), FOLDER),
            "member address given twice: 127.0.0.1:7001"),
        refusal(
            "a cluster that is no name",
            () -> StoreConfig.of("a/b", "n1", List.of(N1), FOLDER),
            "cluster must be"),
        refusal(
            "timeouts the wrong way round",
            () -> valid().withElectionTimeout(Duration.ofMillis(300), Duration.ofMillis(200)),
            "electionTimeoutMax must be from 300 ms"),
        refusal(
            "a timeout that no network keeps",
            () -> valid().withElectionTimeout(Duration.ofMillis(1), Duration.ofMillis(200)),
            "electionTimeoutMin must be from 50 ms"),
        refusal(
            "a read that cannot wait",
            () -> valid().withReadTimeout(Duration.ZERO),
            "readTimeout must be"),
        refusal(
            "closing that takes hours",
            () -> valid().withCloseTimeout(Duration.ofHours(2)),
            "closeTimeout must be"),
        refusal(
            "a snapshot for every entry",
            () -> valid().withSnapshotLogBytes(1),
            "snapshotLogBytes must be at least 4096: 1"),
        refusal("no address to listen on", () -> valid().withBindHost(" "), "bindHost"));
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // null against the contract
  private static <T> T absent() {
    return null;
  }

  private static Arguments refusal(String name, ThrowingCallable configuring, String message) {
    return argumentSet(name, configuring, message);
  }

  private static StoreConfig valid() {
    return StoreConfig.of("c", "n1", List.of(N1, N2), FOLDER);
  }
}
