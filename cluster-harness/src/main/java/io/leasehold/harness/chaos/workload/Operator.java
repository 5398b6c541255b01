package io.leasehold.harness.chaos.workload;

import io.leasehold.LeaseEvent;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseStatus;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import io.leasehold.harness.check.history.HistoryEvent.Watched;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Watches everything that happens as an observer, and now and then revokes a lease as an operator.
 * Confined to the workload's timer.
 */
final class Operator {

  private final String node;
  private final int run;
  private final List<String> leases;
  private final LeaseInspector inspector;
  private final Recorder recorder;
  private final Timer timer;
  private final Mix mix;
  private boolean stopped;

  Operator(
      String node,
      int run,
      List<String> leases,
      LeaseInspector inspector,
      Recorder recorder,
      Timer timer,
      Mix mix) {
    this.node = node;
    this.run = run;
    this.leases = leases;
    this.inspector = inspector;
    this.recorder = recorder;
    this.timer = timer;
    this.mix = mix;
  }

  void start() {
    var unused = inspector.watchAll(this::observe); // For as long as the process lives.
    later();
  }

  void stop() {
    stopped = true;
  }

  private void observe(LeaseEvent event) {
    recorder.write(
        new Watched(
            recorder.now(),
            node,
            run,
            event.kind(),
            event.name(),
            event.owner(),
            event.node(),
            event.fencingToken()));
  }

  private void later() {
    var unused = timer.schedule(mix.untilRevocation(), this::find);
  }

  private void find() {
    if (stopped) {
      return;
    }
    String lease = leases.get(mix.oneOf(leases.size()));
    var unused =
        inspector
            .find(lease)
            .whenComplete(
                (found, failure) ->
                    timer.schedule(
                        Duration.ZERO,
                        () -> {
                          if (failure == null) {
                            revoke(lease, found);
                          }
                          later();
                        }));
  }

  private void revoke(String lease, Optional<LeaseStatus> found) {
    if (found.isEmpty() || stopped) {
      return;
    }
    long token = found.get().fencingToken();
    long call = recorder.nextCall();
    Handle operator = new Handle(node, run, "operator", lease);
    recorder.write(Invoke.revoke(recorder.now(), call, operator, token));
    var unused =
        inspector
            .revoke(lease, token, "an operator's wish")
            .whenComplete((done, failure) -> recorder.write(answer(call, done, failure)));
  }

  private Return answer(long call, @Nullable Boolean done, @Nullable Throwable failure) {
    if (failure == null) {
      return Return.answered(recorder.now(), call, Boolean.TRUE.equals(done));
    }
    return recorder.failed(call, failure);
  }
}
