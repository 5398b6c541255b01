package io.leasehold.harness.check;

import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what a history tells about one handle, and makes its holds. Not safe for many threads.
 */
final class HandleIndex {

  /** Samples further apart than this are not folded, so that a pause stays visible. */
  private static final long FOLDED_GAP_NANOS = 500_000_000L;

  private final Handle handle;
  private final List<Call> calls = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final Map<Long, HoldParts> holds = new TreeMap<>();
  private @Nullable Sample last;

  HandleIndex(Handle handle) {
    this.handle = handle;
  }

  /** Calls come in the order of their invocations. */
  void add(Call call) {
    calls.add(call);
    if (call.isGrant() && call.token() != 0) {
      parts(call.token()).grants.add(call);
    }
  }

  void add(Lost lost) {
    parts(lost.token()).losses.add(lost);
  }

  void add(Sample sample) {
    if (sample.alive()) {
      HoldParts parts = parts(sample.token());
      if (parts.firstTrue == null || sample.after() < parts.firstTrue.after()) {
        parts.firstTrue = sample;
      }
      if (parts.lastTrue == null || sample.lastBefore() > parts.lastTrue.lastBefore()) {
        parts.lastTrue = sample;
      }
    }
    if (last != null
        && last.isLike(sample)
        && sample.before() >= last.lastBefore()
        && sample.before() - last.lastAfter() < FOLDED_GAP_NANOS) {
      last = last.and(sample);
      samples.set(samples.size() - 1, last);
    } else {
      last = sample;
      samples.add(sample);
    }
  }

  List<Call> calls() {
    return List.copyOf(calls);
  }

  /** When each acquire was invoked whose outcome nobody knows. */
  long[] unknownAcquires() {
    return calls.stream()
        .filter(call -> call.isAcquire() && call.isUnknown())
        .mapToLong(Call::invokedAt)
        .toArray();
  }

  List<Sample> samples() {
    samples.sort(Comparator.comparingLong(Sample::before));
    return List.copyOf(samples);
  }

  List<Hold> holds() {
    List<Sample> noes =
        samples.stream()
            .filter(sample -> !sample.alive())
            .sorted(Comparator.comparingLong(Sample::lastBefore))
            .toList();
    List<Call> releases = calls.stream().filter(Call::isRelease).toList();
    List<Hold> made = new ArrayList<>();
    holds.forEach((token, parts) -> made.add(hold(token, parts, noes, releases)));
    return made;
  }

  private Hold hold(long token, HoldParts parts, List<Sample> noes, List<Call> releases) {
    Call acquire = parts.grants.isEmpty() ? null : parts.grants.get(0);
    return new Hold(
        token,
        handle,
        acquire,
        acquire == null ? List.of() : List.copyOf(parts.grants.subList(1, parts.grants.size())),
        acquire == null ? null : firstInvokedAfter(releases, acquire.invokedAt()),
        parts.firstTrue,
        parts.lastTrue,
        acquire == null ? null : firstNoAfter(noes, acquire.returnedAt()),
        List.copyOf(parts.losses));
  }

  private static @Nullable Call firstInvokedAfter(List<Call> sorted, long instant) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted.get(middle).invokedAt() > instant) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low == sorted.size() ? null : sorted.get(low);
  }

  /**
   * The first no that began after an instant. Of a run that spans the instant only the last sample
   * is known to have begun after it.
   */
  private static @Nullable Sample firstNoAfter(List<Sample> sorted, long instant) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted.get(middle).lastBefore() > instant) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (low == sorted.size()) {
      return null;
    }
    Sample run = sorted.get(low);
    return run.before() > instant
        ? run
        : Sample.of(run.handle(), run.token(), false, run.lastBefore(), run.lastAfter());
  }

  private HoldParts parts(long token) {
    return holds.computeIfAbsent(token, first -> new HoldParts());
  }

  private static final class HoldParts {
    final List<Call> grants = new ArrayList<>();
    final List<Lost> losses = new ArrayList<>();
    @Nullable Sample firstTrue;
    @Nullable Sample lastTrue;
  }
}
