package io.leasehold.holder;

import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Gives up what is held, and what the acquires before it get; shared by all calls of release until
 * the next acquire. Without a call, it gives back what nobody here believes in any more, before the
 * next acquire asks. Confined to the node's lock.
 */
final class Release implements Step {

  private final Node node;
  private final Hold hold;
  private final String name;
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private int givenBack;
  private boolean begun;
  private @Nullable String fault;

  Release(Node node, Hold hold, String name) {
    this.node = node;
    this.hold = hold;
    this.name = name;
  }

  void join(CompletableFuture<Void> released) {
    waiting.add(released);
  }

  /** Gives a claim back; it begins at once, and the release lasts until it has ended. */
  void giveBack(LeaseSettings settings, Claim claim) {
    givenBack++;
    GiveBack.begin(
        node,
        settings,
        claim,
        itsFault -> {
          givenBack--;
          if (itsFault.isPresent()) {
            fault = itsFault.get();
          }
          endWhenDone();
        });
  }

  @Override
  public boolean isAwaited() {
    return !waiting.isEmpty();
  }

  @Override
  public void begin() {
    begun = true;
    endWhenDone();
  }

  @Override
  public void close() {
    // What it gives back is waited for, or abandoned, by the node.
  }

  private void endWhenDone() {
    if (!begun || givenBack > 0) {
      return;
    }
    Optional<String> unknown = Optional.ofNullable(fault);
    for (CompletableFuture<Void> released : waiting) {
      node.later(
          () -> {
            if (unknown.isPresent()) {
              released.completeExceptionally(
                  new LeaseIndeterminateException("lease " + name + ": " + unknown.get()));
            } else {
              released.complete(null);
            }
          });
    }
    hold.ended(this);
  }
}
