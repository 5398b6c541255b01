package io.leasehold.harness.http;

import io.leasehold.LeaseInspector;
import io.leasehold.LeaseLimits;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import io.leasehold.harness.DurationNotation;
import io.leasehold.harness.wire.HandleView;
import io.leasehold.harness.wire.HolderView;
import io.leasehold.harness.wire.LeaseRow;
import io.leasehold.harness.wire.ReleaseAnswer;
import io.leasehold.harness.wire.RevokeAnswer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What can be asked of leases. Confined to the loop. */
final class LeaseRoutes {

  private static final Duration WAIT_MAX = Duration.ofHours(24);
  private static final int HOLDER_MILLIS_MAX = 1_500;

  private final String node;
  private final Handles handles;
  private final LeaseInspector inspector;
  private final HttpMeters meters;

  LeaseRoutes(String node, Handles handles, LeaseInspector inspector, HttpMeters meters) {
    this.node = node;
    this.handles = handles;
    this.inspector = inspector;
    this.meters = meters;
  }

  void acquire(Exchange exchange) {
    RequestFields fields = exchange.fields("owner", "ttl", "wait", "reclaim");
    LeaseSettings settings =
        LeaseSettings.of(exchange.name(), fields.text("owner"), fields.duration("ttl"))
            .withAcquireRetries(1) // how patient a caller is, its "wait" says
            .withReclaim(fields.flag("reclaim", false));
    Duration wait = fields.duration("wait", Duration.ZERO);
    if (wait.compareTo(WAIT_MAX) > 0) {
      throw Refusal.invalid(
          "wait",
          "wait must be at most "
              + DurationNotation.of(WAIT_MAX)
              + ": "
              + DurationNotation.of(wait));
    }

    new AcquireCall(exchange, handles, inspector, meters).start(settings, wait);
  }

  void release(Exchange exchange) {
    String name = checkedName(exchange);
    String owner = checkedOwner(exchange.fields("owner").text("owner"));
    Handle handle = handles.find(name, owner);
    if (handle == null) {
      exchange.answer(new ReleaseAnswer(false));
      return;
    }
    boolean held = handle.lease.checkAlive();
    long grantsBefore = handle.grants;
    handle.callers++;
    exchange.then(
        handle.lease.release(),
        (done, failure) -> {
          if (held && handle.lease.fencingToken().isEmpty()) {
            handle.toldToken = 0;
          }
          handles.leave(handle);
          if (failure != null) {
            exchange.refuse(failure);
          } else {
            exchange.answer(new ReleaseAnswer(held || handle.grants > grantsBefore));
          }
        });
  }

  void find(Exchange exchange) {
    Map<String, String> query = exchange.query("owner");
    String name = checkedName(exchange);
    String owner = query.get("owner");
    if (owner != null) {
      findOfOwner(exchange, name, checkedOwner(owner));
      return;
    }
    exchange.then(
        inspector.find(name),
        (found, failure) -> {
          if (failure != null || found == null) {
            exchange.refuse(Refusal.missing(failure));
          } else {
            exchange.answer(found.map(LeaseRow::of).orElseGet(() -> LeaseRow.free(name)));
          }
        });
  }

  void list(Exchange exchange) {
    exchange.query();
    exchange.then(
        inspector.list(),
        (leases, failure) -> {
          if (failure != null || leases == null) {
            exchange.refuse(Refusal.missing(failure));
          } else {
            exchange.answer(leases.stream().map(LeaseRow::of).toList());
          }
        });
  }

  void revoke(Exchange exchange) {
    Map<String, String> query = exchange.query("reason", "token", "unsafe");
    String name = checkedName(exchange);
    String reason = checkedReason(query.getOrDefault("reason", "revoked by an operator"));
    boolean unsafe = checkedFlag("unsafe", query.getOrDefault("unsafe", "false"));
    String token = query.get("token");
    if (token != null) {
      revoke(exchange, name, checkedToken(token), reason, unsafe);
      return;
    }
    exchange.then(
        inspector.find(name),
        (found, failure) -> {
          if (failure != null || found == null) {
            exchange.refuse(Refusal.missing(failure));
          } else if (found.isEmpty()) {
            exchange.answer(new RevokeAnswer(false, null));
          } else {
            revoke(exchange, name, found.get().fencingToken(), reason, unsafe);
          }
        });
  }

  /** A hold that can be proven here needs no I/O to answer for; otherwise the store is asked. */
  private void findOfOwner(Exchange exchange, String name, String owner) {
    Handle handle = handles.find(name, owner);
    if (handle != null && handle.lease.checkAlive()) {
      var token = handle.lease.fencingToken();
      long remaining = handle.lease.remaining().toMillis();
      if (token.isPresent() && handle.lease.checkAlive()) {
        HolderView self = new HolderView(owner, node);
        exchange.answer(new HandleView(name, true, token.getAsLong(), remaining, self, null));
        return;
      }
    }
    exchange.then(
        inspector
            .find(name)
            .toCompletableFuture()
            .copy()
            .orTimeout(HOLDER_MILLIS_MAX, TimeUnit.MILLISECONDS),
        (found, failure) -> {
          HolderView holder = found == null ? null : found.map(LeaseRoutes::holderOf).orElse(null);
          String message = failure == null ? null : "who holds it is not known: " + why(failure);
          exchange.answer(new HandleView(name, false, null, 0, holder, message));
        });
  }

  private void revoke(Exchange exchange, String name, long token, String reason, boolean unsafe) {
    CompletionStage<Boolean> revoked =
        unsafe
            ? inspector.revokeUnsafely(name, token, reason)
            : inspector.revoke(name, token, reason);
    exchange.then(
        revoked,
        (done, failure) -> {
          if (failure != null || done == null) {
            exchange.refuse(Refusal.missing(failure));
          } else {
            exchange.answer(new RevokeAnswer(done, token));
          }
        });
  }

  static HolderView holderOf(LeaseStatus status) {
    return new HolderView(status.owner(), status.node());
  }

  private static String why(Throwable failure) {
    return failure instanceof TimeoutException
        ? "the store has not answered within " + HOLDER_MILLIS_MAX + " ms"
        : Refusal.of(failure).view().message();
  }

  private static String checkedName(Exchange exchange) {
    String name = exchange.name();
    refuse("name", LeaseLimits.faultInName(name));
    return name;
  }

  private static String checkedOwner(String owner) {
    refuse("owner", LeaseLimits.faultInOwner(owner));
    return owner;
  }

  private static void refuse(String field, Optional<String> fault) {
    fault.ifPresent(
        message -> {
          throw Refusal.invalid(field, field + " " + message);
        });
  }

  private static String checkedReason(String reason) {
    if (reason.isBlank()) {
      throw Refusal.invalid("reason", "reason must not be blank");
    }
    refuse("reason", LeaseLimits.faultInReason(reason));
    return reason;
  }

  private static boolean checkedFlag(String field, String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw Refusal.invalid(field, field + " must be true or false");
    }
    return text.equals("true");
  }

  private static long checkedToken(String text) {
    if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) == 0) {
      throw Refusal.invalid("token", "token must be a positive number");
    }
    return Long.parseLong(text);
  }
}
