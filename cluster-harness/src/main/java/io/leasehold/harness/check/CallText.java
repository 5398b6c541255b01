package io.leasehold.harness.check;

import java.util.Locale;

/** How calls and instants read for people. */
final class CallText {

  private CallText() {}

  static String of(Call call) {
    return "%s %s %s %s"
        .formatted(
            call.handle(), asked(call), answered(call), span(call.invokedAt(), call.returnedAt()));
  }

  static String asked(Call call) {
    return switch (call.invoke().op()) {
      case ACQUIRE ->
          "acquire(ttl %s%s%s)"
              .formatted(
                  duration(call.invoke().ttlNanos()),
                  call.invoke().waitNanos() > 0
                      ? ", wait " + duration(call.invoke().waitNanos())
                      : "",
                  call.invoke().reclaim() ? ", reclaim" : "");
      case RELEASE -> "release()";
      case REVOKE ->
          (call.invoke().unsafe() ? "revoke unsafely " : "revoke ") + call.invoke().token();
    };
  }

  static String answered(Call call) {
    if (call.end() == null) {
      return "never returned";
    }
    return switch (call.end().outcome()) {
      case OK -> ok(call);
      case FAIL -> "failed: " + call.end().error();
      case INFO -> "unknown: " + call.end().error();
    };
  }

  private static String ok(Call call) {
    return switch (call.invoke().op()) {
      case ACQUIRE ->
          call.isGrant()
              ? "granted token " + (call.token() == 0 ? "unknown" : call.token())
              : "refused";
      case RELEASE -> "released";
      case REVOKE -> call.end() != null && call.end().yes() ? "revoked" : "not there";
    };
  }

  /** An interval in seconds since the start of the run. */
  static String span(long from, long to) {
    return to == Call.NEVER ? seconds(from) + " .. ?" : seconds(from) + " .. " + seconds(to);
  }

  /** An instant in seconds since the start of the run. */
  static String seconds(long nanos) {
    return nanos == Call.NEVER ? "never" : String.format(Locale.ROOT, "%.6f s", nanos / 1e9);
  }

  /** A length of time. */
  static String duration(long nanos) {
    return nanos >= 1_000_000_000L
        ? String.format(Locale.ROOT, "%.3f s", nanos / 1e9)
        : String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
  }
}
