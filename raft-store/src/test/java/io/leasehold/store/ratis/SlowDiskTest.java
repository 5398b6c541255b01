package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a leader hands over because of its disk. */
final class SlowDiskTest {

  private static final Duration TICK = Duration.ofMillis(200);
  private static final StoreConfig CONFIG =
      StoreConfig.of("c", "n1", Member.parseAll("n1=h:1,n2=h:2,n3=h:3"), Path.of("n1"));

  private final VirtualTime time = new VirtualTime();
  private final Server server = new Server();
  private final SlowDisk disk = new SlowDisk(CONFIG, server, time);

  private void pass(Duration duration) {
    for (Duration passed = Duration.ZERO;
        passed.compareTo(duration) < 0;
        passed = passed.plus(TICK)) {
      time.advance(TICK);
      disk.tick();
    }
  }

  @Test
  void leaderWhoseDiskStandsStillHandsOverToOneWhoseDiskWorks() {
    server.last = 12;
    server.lead(follower("n2", 11), follower("n3", 12));

    pass(CONFIG.electionTimeoutMax());
    assertThat(server.askedToLead).isEmpty();
    pass(TICK);

    assertThat(server.askedToLead).containsExactly("n3");
  }

  @Test
  void saysForHowLongItStandsStill() {
    server.last = 11;
    server.flushed = 11;
    pass(Duration.ofSeconds(2));
    assertThat(disk.stoodStill()).isZero();

    server.last = 12;
    pass(Duration.ofSeconds(2));
    assertThat(disk.stoodStill()).isEqualTo(Duration.ofSeconds(2));

    server.flushed = 12;
    pass(TICK);
    assertThat(disk.stoodStill()).isZero();
  }

  @Test
  void whoHasNotLedInTheEndIsAskedAgainLater() {
    server.last = 12;
    server.lead(follower("n2", 11));

    pass(Duration.ofSeconds(6));
    assertThat(server.askedToLead).containsExactly("n2");
    pass(TICK.multipliedBy(2));
    assertThat(server.askedToLead).containsExactly("n2", "n2");
  }

  @Test
  void nobodyIsAskedWhoseLogIsNotFurtherOnDisk() {
    server.last = 12;
    server.lead(follower("n2", 10), follower("n3", -1));

    pass(Duration.ofMinutes(1));

    assertThat(server.askedToLead).isEmpty();
  }

  @Test
  void nobodyIsAskedWhileNothingIsToBeWritten() {
    server.last = 10;
    server.lead(follower("n2", 10), follower("n3", 10));

    pass(Duration.ofMinutes(1));
    server.last = 11; // a first entry after a long rest has not waited yet
    pass(CONFIG.electionTimeoutMax());

    assertThat(server.askedToLead).isEmpty();
  }

  @Test
  void slowDiskThatMovesIsLeftInPeace() {
    server.lead(follower("n2", 1_000), follower("n3", 1_000));
    for (long entry = 11; entry < 100; entry++) {
      server.last = entry + 5;
      server.flushed = entry;
      pass(CONFIG.electionTimeoutMax().minus(TICK));
    }
    assertThat(server.askedToLead).isEmpty();
  }

  @Test
  void followerHasNothingToHandOver() {
    server.last = 12;

    pass(Duration.ofMinutes(1));

    assertThat(server.askedToLead).isEmpty();
  }

  @Test
  void whoeverAsksIsWarnedAsLongAsItStandsStill() {
    server.last = 12;
    pass(CONFIG.electionTimeoutMax());
    assertThat(disk.warning()).isEmpty();

    pass(Duration.ofSeconds(3));
    assertThat(disk.warning())
        .get()
        .asString()
        .contains("came to its disk for", "see to that disk");

    server.flushed = 12;
    pass(TICK);
    assertThat(disk.warning()).isEmpty();
  }

  private static Lead.Follower follower(String id, long matchIndex) {
    return new Lead.Follower(id, true, Duration.ofMillis(10), matchIndex);
  }

  private static final class Server implements SlowDisk.Server {
    long last = 10;
    long flushed = 10;
    Optional<Lead> lead = Optional.empty();
    final List<String> askedToLead = new ArrayList<>();

    void lead(Lead.Follower... followers) {
      lead = Optional.of(new Lead(Duration.ofHours(1), List.of(followers)));
    }

    @Override
    public long lastIndex() {
      return last;
    }

    @Override
    public long flushedIndex() {
      return flushed;
    }

    @Override
    public Optional<Lead> lead() {
      return lead;
    }

    @Override
    public CompletableFuture<Boolean> transfer(String to, Duration limit) {
      askedToLead.add(to);
      return CompletableFuture.completedFuture(false);
    }
  }
}
