package io.leasehold.harness.shards;

import io.leasehold.singleton.SingletonContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A hold that the test ends: it may be lost before anybody is told. */
final class FakeHold implements SingletonContext {

  private final long token;
  private final List<Runnable> actions = new ArrayList<>();
  private boolean lost;
  private boolean cancelled;

  FakeHold(long token) {
    this.token = token;
  }

  void lose() {
    lost = true;
  }

  void cancel() {
    cancelled = true;
    lost = true;
    actions.forEach(Runnable::run);
  }

  @Override
  public long fencingToken() {
    return token;
  }

  @Override
  public boolean checkAlive() {
    return !lost;
  }

  @Override
  public Duration remaining() {
    return lost ? Duration.ZERO : Duration.ofSeconds(1);
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void onCancel(Runnable action) {
    actions.add(action);
  }
}
