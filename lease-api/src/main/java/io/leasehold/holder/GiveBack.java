package io.leasehold.holder;

import io.leasehold.LeaseSettings;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Gives a claim back, again and again, until the store has confirmed it or the time to live has
 * passed, which ends in the store what nobody renews. Confined to the node's lock.
 */
final class GiveBack {

  private static final int TRIES_PER_TTL = 10;
  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

  private final Node node;
  private final Claim claim;
  private final Duration pause;
  private final Consumer<Optional<String>> ended;
  private final Timer.Cancellable limit;
  private boolean over;

  private GiveBack(
      Node node, LeaseSettings settings, Claim claim, Consumer<Optional<String>> ended) {
    this.node = node;
    this.claim = claim;
    this.pause =
        Duration.ofNanos(Math.min(settings.ttl().toNanos() / TRIES_PER_TTL, PAUSE_MAX.toNanos()));
    this.ended = ended;
    this.limit =
        node.schedule(
            settings.ttl(),
            () -> end(Optional.of("the store did not answer for the time to live")));
  }

  /**
   * Begins to give a claim back.
   *
   * @param ended is told once: empty when the store has confirmed it, otherwise why that is not
   *     known
   */
  static void begin(
      Node node, LeaseSettings settings, Claim claim, Consumer<Optional<String>> ended) {
    GiveBack begun = new GiveBack(node, settings, claim, ended);
    node.begun(begun);
    begun.send();
  }

  private void send() {
    if (over) {
      return;
    }
    node.ask(
        claim::giveBack,
        done -> end(Optional.empty()),
        failure -> {
          Node.logged("a lease could not be given back yet", failure);
          Timer.Cancellable unusedForItLooksItself = node.schedule(pause, this::send);
        });
  }

  /** Does not wait for the store any longer. */
  void abandon() {
    end(Optional.of("the provider was closed meanwhile"));
  }

  private void end(Optional<String> fault) {
    if (over) {
      return;
    }
    over = true;
    limit.cancel();
    node.ended(this);
    ended.accept(fault);
  }
}
