package io.leasehold.harness.wire;

/** Events in words. */
public final class EventText {

  private EventText() {}

  /** Says in one line what has happened. */
  public static String of(EventView event) {
    String who = event.owner() + " on " + event.node();
    String lease = "\"" + event.name() + "\"";
    String token = ", token " + event.fencingToken();
    return switch (event.event()) {
      case "current" -> lease + " is held by " + who + token;
      case "free" -> lease + " is free";
      case "granted" -> lease + " granted to " + who + token;
      case "released" -> lease + " released by " + who + token;
      case "expired" -> lease + " expired: " + who + " was not heard of in time" + token;
      case "taken-over" -> lease + " taken over from " + who + token;
      case "revoked" -> lease + " revoked from " + who + token;
      case "lost" ->
          lease + " lost by " + who + token + ": " + event.reason() + ", " + event.message();
      case "leader" ->
          event.leader() == null
              ? "no leader is known"
              : event.leader() + " leads, term " + event.term();
      case "behind" ->
          event.missed() + " events were missed because this reader was too slow; see `leases`";
      default -> event.event() + " " + Wire.text(event);
    };
  }
}
