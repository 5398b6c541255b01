package io.leasehold.store.codec;

import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Holder;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.StoreState;
import io.leasehold.store.core.Waiter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** One value of every kind that has bytes, with a name. */
final class Samples {

  static final SessionId A = new SessionId(0x0123456789abcdefL, 0xfedcba9876543210L);
  static final SessionId B = new SessionId(0, 1);
  static final Holder HOLDER_A = new Holder(A, "n1", "orders-0");
  static final Holder HOLDER_B = new Holder(B, "n2", "\u00fcber \ud83d\ude00");

  static final Batch ACQUIRE =
      Batch.of(
          A,
          300,
          List.of(new Command.Acquire("printer", "orders-0", 10_000_000_000L, 1, false, false)));

  private Samples() {}

  static Map<String, Command> commands() {
    Map<String, Command> samples = new LinkedHashMap<>();
    samples.put("open-session", new Command.OpenSession("n1", 30_000_000_000L));
    samples.put("close-session", new Command.CloseSession());
    samples.put(
        "acquire", new Command.Acquire("printer", "orders-0", 10_000_000_000L, 1, false, false));
    samples.put(
        "acquire-queued",
        new Command.Acquire("\u00fcber \ud83d\ude00", "b", 100_000_000L, 1L << 40, true, true));
    samples.put("confirm", new Command.Confirm("printer", 1_846_000_000_000_001L));
    samples.put("release", new Command.Release("printer", 1_846_000_000_000_001L));
    samples.put("leave", new Command.Leave("printer", 7));
    samples.put("reconcile", new Command.Reconcile());
    samples.put("revoke", new Command.Revoke("printer", 7, "moved away", false));
    samples.put("revoke-unsafely", new Command.Revoke("printer", 0, "", true));
    samples.put("expire", new Command.Expire("printer", A, 7));
    samples.put("expire-session", new Command.ExpireSession(B));
    return samples;
  }

  static Map<String, Batch> batches() {
    Map<String, Batch> samples = new LinkedHashMap<>();
    commands().forEach((name, command) -> samples.put(name, Batch.of(A, 300, List.of(command))));
    samples.put("empty", Batch.of(B, 1, List.of()));
    samples.put("store", Batch.ofStore(List.of(new Command.Expire("printer", B, -1))));
    samples.put("store-empty", Batch.ofStore(List.of()));
    samples.put("all", Batch.of(A, Long.MAX_VALUE, List.copyOf(commands().values())));
    return samples;
  }

  static Map<String, StampedBatch> entries() {
    Map<String, StampedBatch> samples = new LinkedHashMap<>();
    samples.put("first", new StampedBatch(new Stamp(0, 0, 1L << 50), Batch.ofStore(List.of())));
    samples.put("later", new StampedBatch(new Stamp(86_400_000_000_000L, 12, 0), ACQUIRE));
    return samples;
  }

  static Map<String, Event> events() {
    Map<String, Event> samples = new LinkedHashMap<>();
    samples.put("granted", new Event.Granted("printer", HOLDER_A, 7, 10_000_000_000L, 3));
    samples.put("released", new Event.Released("printer", HOLDER_A, 7));
    samples.put("expired", new Event.Expired("printer", HOLDER_B, 8));
    samples.put("taken-over", new Event.TakenOver("printer", HOLDER_A, 7, HOLDER_B));
    samples.put("revoked", new Event.Revoked("printer", HOLDER_A, 7, "moved away", false));
    samples.put("revoked-and-freed", new Event.Revoked("printer", HOLDER_A, 7, "", true));
    samples.put("skipped", new Event.Skipped("printer", HOLDER_B, 4));
    samples.put("session-opened", new Event.SessionOpened(new Holder(A, "n1", "")));
    samples.put("session-ended", new Event.SessionEnded(new Holder(A, "n1", "")));
    return samples;
  }

  static Map<String, Reply> commandReplies() {
    Map<String, Reply> samples = new LinkedHashMap<>();
    samples.put("session-opened", new Reply.SessionOpened());
    samples.put("session-closed", new Reply.SessionClosed());
    samples.put("granted", new Reply.Granted(7));
    samples.put("queued", new Reply.Queued());
    samples.put("held-by-other", new Reply.HeldByOther(HOLDER_B, 8));
    samples.put("confirmed", new Reply.Confirmed());
    samples.put("released", new Reply.Released(7));
    samples.put("left", new Reply.Left());
    samples.put("not-held", new Reply.NotHeld());
    samples.put("revoked", new Reply.Revoked());
    samples.put(
        "held",
        new Reply.Held(
            List.of(
                new Reply.Hold("a", "orders-0", 1, 1), new Reply.Hold("printer", "orders-0", 7, 3)),
            List.of()));
    samples.put("decided", new Reply.Decided());
    samples.put("refused", new Reply.Refused("the lease has its limit of 1000 waiters"));
    return samples;
  }

  static Map<String, BatchReply> replies() {
    Map<String, BatchReply> samples = new LinkedHashMap<>();
    for (BatchReply.Status status : BatchReply.Status.values()) {
      samples.put("status-" + status, new BatchReply(status, 9, List.of(), false, List.of(), 0));
    }
    commandReplies()
        .forEach((name, reply) -> samples.put(name, applied(List.of(), false, List.of(reply), -1)));
    events()
        .forEach(
            (name, event) ->
                samples.put("news-" + name, applied(List.of(event), false, List.of(), 1)));
    samples.put(
        "held-and-waiting",
        applied(
            List.of(),
            false,
            List.of(
                new Reply.Held(List.of(new Reply.Hold("a", "orders-0", 1, 1)), List.of(2L, 300L))),
            -1));
    samples.put("news-lost", applied(List.of(), true, List.of(), 0));
    samples.put(
        "all",
        applied(
            List.copyOf(events().values()),
            false,
            List.copyOf(commandReplies().values()),
            0x5555_aaaa_5555_aaaaL));
    return samples;
  }

  private static BatchReply applied(
      List<Event> news, boolean newsLost, List<Reply> replies, long digest) {
    return new BatchReply(BatchReply.Status.APPLIED, 1_000_000, news, newsLost, replies, digest);
  }

  static Map<String, HeldLease> leases() {
    Map<String, HeldLease> samples = new LinkedHashMap<>();
    samples.put(
        "held",
        new HeldLease("printer", HOLDER_A, 7, 10_000_000_000L, 3, OptionalLong.empty(), List.of()));
    samples.put(
        "revoked",
        new HeldLease("printer", HOLDER_A, 7, 10_000_000_000L, 3, OptionalLong.of(0), List.of()));
    samples.put(
        "waited-for",
        new HeldLease(
            "printer",
            HOLDER_A,
            7,
            10_000_000_000L,
            3,
            OptionalLong.of(99_000_000_000L),
            List.of(
                new Waiter(HOLDER_B, 1_000_000_000L, 4), new Waiter(HOLDER_A, 500_000_000L, 5))));
    return samples;
  }

  static Map<String, Session> sessions() {
    Map<String, Session> samples = new LinkedHashMap<>();
    samples.put("session", new Session(A, "n1", 30_000_000_000L, 4, 5, 6, -7, false));
    samples.put("session-news-lost", new Session(A, "n1", 1, 0, 0, 1, 0, true));
    return samples;
  }

  static Map<String, StoreState> states() {
    Map<String, StoreState> samples = new LinkedHashMap<>();
    samples.put("initial", StoreState.INITIAL);
    samples.put("state", new StoreState(86_400_000_000_000L, (1L << 50) + 5, 12, 3, 100_000));
    return samples;
  }
}
