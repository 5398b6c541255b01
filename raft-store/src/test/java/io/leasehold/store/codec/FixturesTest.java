package io.leasehold.store.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.core.Command;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.Session;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What format 1 looks like. */
final class FixturesTest {

  private final BatchCodec batches = new BatchCodec(Limits.DEFAULT);
  private final EntryCodec entries = new EntryCodec(batches);
  private final ReplyCodec replies = new ReplyCodec();
  private final RowCodec rows = new RowCodec();

  @Test
  void batchesAreReadAndWritten() {
    Fixtures.check(
        getClass(),
        "batches-1.txt",
        Samples.batches(),
        batches::encode,
        bytes -> batches.decode(ByteBuffer.wrap(bytes)));
  }

  @Test
  void entriesAreReadAndWritten() {
    Fixtures.check(
        getClass(),
        "entries-1.txt",
        Samples.entries(),
        entry -> {
          byte[] batch = batches.encode(entry.batch());
          byte[] header = entries.header(entry.stamp(), EntryCodec.FORMAT, batch.length);
          return ByteBuffer.allocate(header.length + batch.length).put(header).put(batch).array();
        },
        bytes -> entries.decode(1, ByteBuffer.wrap(bytes)));
  }

  @Test
  void repliesAreReadAndWritten() {
    Fixtures.check(
        getClass(),
        "replies-1.txt",
        Samples.replies(),
        replies::encode,
        bytes -> replies.decode(ByteBuffer.wrap(bytes)));
  }

  @Test
  void leasesAreReadAndWritten() {
    Fixtures.<HeldLease>check(
        getClass(),
        "leases-1.txt",
        Samples.leases(),
        rows::encode,
        bytes -> rows.lease("printer", bytes));
  }

  @Test
  void sessionsAreReadAndWritten() {
    Fixtures.<Session>check(
        getClass(),
        "sessions-1.txt",
        Samples.sessions(),
        rows::encode,
        bytes -> rows.session(Samples.A, bytes));
  }

  @Test
  void statesAreReadAndWritten() {
    Fixtures.check(getClass(), "states-1.txt", Samples.states(), rows::encode, rows::state);
  }

  @Test
  void newsIsReadAndWritten() {
    Map<String, List<Event>> news = new LinkedHashMap<>();
    Samples.events().forEach((name, event) -> news.put(name, List.of(event)));
    news.put("all", List.copyOf(Samples.events().values()));
    Fixtures.check(getClass(), "news-1.txt", news, rows::encodeNews, rows::news);
  }

  @Test
  void appliedIndexesAndExpiriesAreReadAndWritten() {
    Fixtures.<RowCodec.Applied>check(
        getClass(),
        "applied-1.txt",
        Map.of("applied", new RowCodec.Applied(3, 1_000_000)),
        rows::encode,
        rows::applied);
    Fixtures.check(
        getClass(), "revoked-1.txt", Map.of("revoked", 99L), rows::encodeRevoked, rows::revoked);
  }

  @Test
  void everyKindHasASample() {
    assertCovers(Command.class, Samples.commands().values());
    assertCovers(Event.class, Samples.events().values());
    assertCovers(Reply.class, Samples.commandReplies().values());
  }

  private static void assertCovers(Class<?> sealed, Collection<?> samples) {
    assertThat(Stream.of(sealed.getPermittedSubclasses()).map(Class::getSimpleName))
        .containsExactlyInAnyOrderElementsOf(
            samples.stream().map(sample -> sample.getClass().getSimpleName()).distinct().toList());
  }
}
