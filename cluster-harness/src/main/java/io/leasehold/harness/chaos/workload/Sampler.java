package io.leasehold.harness.chaos.workload;

import io.leasehold.Lease;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Fault;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks every handle again and again whether it is alive, and records the answers; those in a row
 * that say the same become one line. Confined to the sampler's thread.
 */
final class Sampler {

  /** What a kill can take with it. Where a handle is not alive, there is little to be lost. */
  private static final long ALIVE_LINE_NANOS_MAX = 50_000_000L;

  private static final long OTHER_LINE_NANOS_MAX = 500_000_000L;

  /** A round comes every few milliseconds: whoever is this late was not let run. */
  private static final long STALL_NANOS = 300_000_000L;

  private final String node;
  private final Recorder recorder;
  private final List<Sampled> all = new ArrayList<>();
  private long lastRound;
  private int stalls;

  Sampler(String node, Recorder recorder) {
    this.node = node;
    this.recorder = recorder;
    this.lastRound = recorder.now();
  }

  /** Adds a handle, before the first round. */
  void add(Handle handle, Lease lease) {
    all.add(new Sampled(handle, lease));
  }

  /** Asks each handle once. */
  void round() {
    long now = recorder.now();
    if (now - lastRound > STALL_NANOS) {
      noteStall(lastRound, now);
    }
    lastRound = now;
    for (Sampled sampled : all) {
      sampled.ask();
    }
  }

  private void noteStall(long from, long to) {
    int id = recorder.stallId(++stalls);
    recorder.write(
        new Fault(from, id, true, Fault.STALL, List.of(node), Map.of(), true, true, "the machine"));
    recorder.write(
        new Fault(to, id, false, Fault.STALL, List.of(node), Map.of(), true, true, "the machine"));
  }

  /**
   * Asks a handle once; null when the hold changed meanwhile, so that it is not known which one the
   * answer was about.
   */
  static @Nullable Sample ask(Recorder recorder, Handle handle, Lease lease) {
    OptionalLong tokenBefore = lease.fencingToken();
    long before = recorder.now();
    boolean alive = lease.checkAlive();
    long after = recorder.now();
    OptionalLong tokenAfter = lease.fencingToken();
    if (alive && !(tokenBefore.isPresent() && tokenBefore.equals(tokenAfter))) {
      return null;
    }
    // A no is a no for whatever was held; the token may be gone before or after it.
    return Sample.of(handle, alive ? tokenBefore.orElse(0) : 0, alive, before, after);
  }

  private final class Sampled {
    private final Handle handle;
    private final Lease lease;
    private @Nullable Sample line;

    Sampled(Handle handle, Lease lease) {
      this.handle = handle;
      this.lease = lease;
    }

    void ask() {
      Sample sample = Sampler.ask(recorder, handle, lease);
      if (sample == null) {
        return;
      }
      Sample open = line;
      long lineNanosMax = sample.alive() ? ALIVE_LINE_NANOS_MAX : OTHER_LINE_NANOS_MAX;
      if (open != null && open.isLike(sample) && sample.before() - open.before() < lineNanosMax) {
        line = open.and(sample);
      } else {
        if (open != null) {
          recorder.write(open);
        }
        line = sample;
      }
    }
  }
}
