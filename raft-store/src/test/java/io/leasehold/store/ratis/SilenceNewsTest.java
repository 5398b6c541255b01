package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SilenceNewsTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final SilenceNews news = new SilenceNews();

  private static Lead.Follower follower(String id, Duration silence) {
    return new Lead.Follower(id, true, silence, 7);
  }

  private List<String> since(Lead.Follower... followers) {
    return since(LONG, followers);
  }

  private List<String> since(Duration leads, Lead.Follower... followers) {
    return news.since(Optional.of(new Lead(leads, List.of(followers)))).stream()
        .map(SilenceNews.Item::text)
        .toList();
  }

  @Test
  void silenceIsToldOnceAndItsEndOnce() {
    assertThat(since(follower("n2", Duration.ZERO), follower("n3", LONG)))
        .singleElement()
        .asString()
        .startsWith("n3 does not answer: ");
    assertThat(since(follower("n2", Duration.ZERO), follower("n3", LONG))).isEmpty();
    assertThat(since(follower("n2", Duration.ZERO), follower("n3", Duration.ZERO)))
        .containsExactly("n3 answers again");
    assertThat(since(follower("n2", Duration.ZERO), follower("n3", Duration.ZERO))).isEmpty();
  }

  @Test
  void shortSilenceIsNoNews() {
    assertThat(since(follower("n2", SilenceNews.SILENT.minusMillis(1)))).isEmpty();
  }

  @Test
  void newLeaderHasOnlyJustAsked() {
    assertThat(since(SilenceNews.SILENT.minusMillis(1), follower("n2", LONG))).isEmpty();
    assertThat(since(SilenceNews.SILENT, follower("n2", LONG))).hasSize(1);
  }

  @Test
  void memberThatIsTakenOutDoesNotAnswerAgain() {
    assertThat(since(follower("n2", Duration.ZERO), follower("n3", LONG))).hasSize(1);
    assertThat(since(follower("n2", Duration.ZERO))).isEmpty();
  }

  @Test
  void whoeverLeadsAgainTellsAgain() {
    assertThat(since(follower("n2", LONG))).hasSize(1);
    assertThat(news.since(Optional.empty())).isEmpty();
    assertThat(Stream.of(since(follower("n2", LONG))).flatMap(List::stream)).hasSize(1);
  }
}
