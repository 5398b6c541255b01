package io.leasehold.harness.up;

import io.leasehold.harness.DurationNotation;
import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.http.Exchange;
import io.leasehold.harness.http.Refusal;
import io.leasehold.harness.http.RequestFields;
import io.leasehold.harness.up.ClusterView.Claim;
import io.leasehold.harness.wire.AcquireAnswer;
import io.leasehold.text.Quoted;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the page's buttons do. Confined to the loop. */
final class PageActions {

  /** How long the page is kept waiting for an acquire that waits in line. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(1);

  private static final Duration WAIT_MAX = Duration.ofHours(1);

  private final Playground playground;
  private final Overview overview;
  private final Waits waits;
  private final Load load;
  private final Executor loop;
  private final Executor control;
  private final Timer timer;

  /**
   * @param control runs what blocks for a moment, one at a time
   */
  PageActions(
      Playground playground,
      Overview overview,
      Waits waits,
      Load load,
      Executor loop,
      Executor control,
      Timer timer) {
    this.playground = playground;
    this.overview = overview;
    this.waits = waits;
    this.load = load;
    this.loop = loop;
    this.control = control;
    this.timer = timer;
  }

  /** What has been done, for the page to say. */
  record Done(String message) {}

  /** Does something to a node's process or its connections. */
  void node(Exchange exchange, String id, String word) {
    RequestFields unusedFields = exchange.fields();
    checkedNode(id);
    NodeAction action =
        NodeAction.of(word)
            .orElseThrow(() -> Refusal.invalid(404, "action", "there is no such action: " + word));
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(() -> playground.act(id, action), control);
    exchange.then(
        done,
        (nothing, failure) -> {
          overview.look();
          if (failure != null) {
            exchange.refuse(refusal(failure));
            return;
          }
          overview.history().add(word, id + " " + action.done());
          exchange.answer(new Done(id + " " + action.done() + "."));
        });
  }

  void acquire(Exchange exchange) {
    RequestFields fields = exchange.fields("node", "name", "owner", "ttl", "wait");
    String id = running(fields.text("node"));
    Claim claim = new Claim(fields.text("name"), fields.text("owner"), id);
    Duration wait = fields.duration("wait", Duration.ZERO);
    if (wait.compareTo(WAIT_MAX) > 0) {
      throw Refusal.invalid("wait", "wait must be at most 1h: " + DurationNotation.of(wait));
    }
    if (waits.isFull()) {
      throw Refusal.unavailable(Waits.MAX + " acquires wait already");
    }
    CompletableFuture<AcquireAnswer> answer =
        playground.client(id).acquire(claim.name(), claim.owner(), fields.duration("ttl"), wait);
    waits.add(claim);
    Once told = new Once();
    var unusedTimer = timer.schedule(ANSWER_MAX, () -> tellWaiting(exchange, claim, told, answer));
    var unused =
        answer.whenComplete(
            (got, failure) -> loop.execute(() -> acquired(exchange, claim, told, got, failure)));
  }

  private static void tellWaiting(
      Exchange exchange, Claim claim, Once told, CompletableFuture<AcquireAnswer> answer) {
    if (!answer.isDone() && told.now()) {
      exchange.answer(new Done(who(claim) + " waits for " + Quoted.text(claim.name()) + "."));
    }
  }

  private void acquired(
      Exchange exchange,
      Claim claim,
      Once told,
      @Nullable AcquireAnswer got,
      @Nullable Throwable failure) {
    waits.remove(claim);
    overview.look();
    if (got == null) {
      Refusal refusal = refusal(failure);
      if (told.now()) {
        exchange.refuse(refusal);
      } else {
        overview
            .history()
            .add(
                "failed",
                who(claim)
                    + " has not got "
                    + Quoted.text(claim.name())
                    + ": "
                    + refusal.getMessage());
      }
      return;
    }
    String outcome = who(claim) + outcome(claim, got);
    if (told.now()) {
      exchange.answer(new Done(outcome + "."));
    } else if (!got.acquired()) {
      overview.history().add("refused", outcome);
    }
  }

  private static String outcome(Claim claim, AcquireAnswer got) {
    String lease = Quoted.text(claim.name());
    if (got.acquired()) {
      return " holds " + lease + ", token " + got.fencingToken();
    }
    return " has not got "
        + lease
        + (got.holder() == null
            ? ""
            : ": " + got.holder().owner() + " on " + got.holder().node() + " holds it");
  }

  void release(Exchange exchange) {
    RequestFields fields = exchange.fields("node", "name", "owner");
    String id = running(fields.text("node"));
    Claim claim = new Claim(fields.text("name"), fields.text("owner"), id);
    answer(
        exchange,
        playground.client(id).release(claim.name(), claim.owner()),
        answer ->
            who(claim)
                + (answer.released() ? " has released " : " did not hold ")
                + Quoted.text(claim.name())
                + ".");
  }

  void revoke(Exchange exchange) {
    RequestFields fields = exchange.fields("name", "token");
    String name = fields.text("name");
    String token = fields.text("token");
    if (!token.matches("[0-9]{1,18}")) {
      throw Refusal.invalid("token", "token must be a number");
    }
    answer(
        exchange,
        serving().revoke(name, Long.parseLong(token), "revoked on the page", false),
        answer ->
            Quoted.text(name)
                + (answer.revoked()
                    ? " is revoked: its holder is told."
                    : " had no such hold any more."));
  }

  void transfer(Exchange exchange) {
    String to = checkedNode(exchange.fields("to").text("to"));
    answer(
        exchange,
        serving().transfer(to),
        answer ->
            answer.transferred()
                ? to + " leads now."
                : to
                    + " has not taken the leadership over in time, "
                    + (answer.leader() == null ? "nobody" : answer.leader())
                    + " leads.");
  }

  void load(Exchange exchange) {
    boolean isOn = exchange.fields("on").flag("on", true);
    if (isOn) {
      load.start();
    } else {
      load.stop();
    }
    overview.setLoaded(isOn);
    exchange.answer(new Done(isOn ? "The load runs." : "The load has stopped."));
  }

  private <T> void answer(Exchange exchange, CompletionStage<T> stage, Function<T, String> words) {
    exchange.then(
        stage,
        (value, failure) -> {
          overview.look();
          if (value == null) {
            exchange.refuse(refusal(failure));
          } else {
            exchange.answer(new Done(words.apply(value)));
          }
        });
  }

  private NodeClient serving() {
    return playground.client(
        overview
            .serving()
            .orElseThrow(() -> Refusal.unavailable("no node serves now: start or heal some")));
  }

  /** A node that cannot answer is not asked: the page would only wait. */
  private String running(String id) {
    switch (playground.state(checkedNode(id))) {
      case DOWN -> throw Refusal.unavailable(id + " does not run: start it first");
      case PAUSED -> throw Refusal.unavailable(id + " stands still: resume it first");
      case RUNNING -> {}
    }
    return id;
  }

  private String checkedNode(String id) {
    if (!playground.ids().contains(id)) {
      throw Refusal.invalid(404, "node", "there is no such node: " + Quoted.text(id));
    }
    return id;
  }

  private static String who(Claim claim) {
    return claim.owner() + " on " + claim.node();
  }

  private static Refusal refusal(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String message =
        cause == null || cause.getMessage() == null
            ? "it failed for an unknown reason"
            : cause.getMessage();
    if (cause instanceof NodeCallException call && call.error().equals("invalid")) {
      return Refusal.invalid("request", message);
    }
    if (cause instanceof IllegalStateException) {
      return Refusal.invalid(409, "node", message);
    }
    return cause instanceof NodeCallException call && call.certainlyNoEffect()
        ? Refusal.unavailable(message)
        : Refusal.indeterminate(message);
  }

  /** True once. */
  private static final class Once {
    private boolean isOver;

    boolean now() {
      boolean isFirst = !isOver;
      isOver = true;
      return isFirst;
    }
  }

  /** Where each button's request goes. */
  interface Action {
    void serve(Exchange exchange);
  }

  Map<String, Action> all() {
    return Map.of(
        "acquire", this::acquire,
        "release", this::release,
        "revoke", this::revoke,
        "transfer", this::transfer,
        "load", this::load);
  }
}
