package io.leasehold.harness.shards;

import io.leasehold.harness.shards.ShardEvent.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Judges what the nodes have written down, however many lives each of them had. */
final class ShardJudge {

  private final List<String> violations = new ArrayList<>();

  /**
   * While something is certain to have been so.
   *
   * @param by the token of a coordinator, or of a region's life
   */
  private record Span(long by, long from, long to) {

    static Span at(long by, long at) {
      return new Span(by, at, at);
    }

    Span with(Span other) {
      return new Span(by, Math.min(from, other.from), Math.max(to, other.to));
    }
  }

  private ShardJudge() {}

  /**
   * Names each promise that is broken; empty when none is.
   *
   * @param parts what each process has written, in its order
   */
  static List<String> violations(List<List<ShardEvent>> parts) {
    ShardJudge judge = new ShardJudge();
    judge.coordinatorsAreNeverLiveTogether(parts);
    judge.shardsAreNeverOnTwoLivingRegions(parts);
    judge.whatIsAcceptedWasDecidedBefore(parts);
    parts.forEach(judge::tokensThatARegionObeysNeverFall);
    parts.forEach(judge::whoHasEndedDecidesNothing);
    return judge.violations;
  }

  private void coordinatorsAreNeverLiveTogether(List<List<ShardEvent>> parts) {
    Map<Long, Span> tenures = new TreeMap<>();
    for (ShardEvent event : all(parts, Kind.COORDINATES, Kind.DECIDED)) {
      tenures.merge(event.coordinator(), Span.at(event.coordinator(), event.at()), Span::with);
    }
    requireDisjoint("coordinators", tenures.values());
  }

  private void shardsAreNeverOnTwoLivingRegions(List<List<ShardEvent>> parts) {
    Map<Long, Span> lives = new HashMap<>();
    for (ShardEvent event : all(parts, Kind.HOSTS, Kind.OBEYS, Kind.ACCEPTED)) {
      lives.merge(event.region(), Span.at(event.region(), event.at()), Span::with);
    }
    Map<String, Map<Long, Span>> shards = new TreeMap<>();
    for (ShardEvent event : all(parts, Kind.ACCEPTED)) {
      long life = event.region();
      Span hosts = new Span(life, event.at(), Objects.requireNonNull(lives.get(life)).to);
      shards
          .computeIfAbsent(allocation(event).shard(), shard -> new TreeMap<>())
          .merge(life, hosts, Span::with);
    }
    shards.forEach((shard, spans) -> requireDisjoint("regions with " + shard, spans.values()));
  }

  private void requireDisjoint(String what, Iterable<Span> spans) {
    List<Span> inOrder = new ArrayList<>();
    spans.forEach(inOrder::add);
    inOrder.sort(Comparator.comparingLong(Span::from).thenComparingLong(Span::to));
    @Nullable Span before = null;
    for (Span span : inOrder) {
      if (before != null && span.from < before.to) {
        violations.add("%s are live together: %s, %s".formatted(what, before, span));
      }
      before = before == null || span.to > before.to ? span : before;
    }
  }

  private void whatIsAcceptedWasDecidedBefore(List<List<ShardEvent>> parts) {
    Map<Allocation, Long> decided = new HashMap<>();
    for (ShardEvent event : all(parts, Kind.DECIDED)) {
      decided.merge(allocation(event), event.at(), Math::min);
    }
    for (ShardEvent event : all(parts, Kind.ACCEPTED)) {
      Long at = decided.get(allocation(event));
      if (at == null || at > event.at()) {
        violations.add("nobody had decided what was accepted: " + event);
      }
    }
  }

  private void tokensThatARegionObeysNeverFall(List<ShardEvent> part) {
    Map<Long, Long> greatest = new HashMap<>();
    for (ShardEvent event : all(List.of(part), Kind.OBEYS, Kind.ACCEPTED)) {
      if (greatest.merge(event.region(), event.coordinator(), Math::max) > event.coordinator()) {
        violations.add("obeyed after a greater token: " + event);
      }
    }
  }

  private void whoHasEndedDecidesNothing(List<ShardEvent> part) {
    Set<Long> ended = new HashSet<>();
    for (ShardEvent event : all(List.of(part), Kind.ENDED, Kind.DECIDED)) {
      if (event.kind() == Kind.ENDED) {
        ended.add(event.coordinator());
      } else if (ended.contains(event.coordinator())) {
        violations.add("decided after its end: " + event);
      }
    }
  }

  private static List<ShardEvent> all(List<List<ShardEvent>> parts, Kind... kinds) {
    Set<Kind> wanted = Set.of(kinds);
    return parts.stream()
        .flatMap(List::stream)
        .filter(event -> wanted.contains(event.kind()))
        .toList();
  }

  private static Allocation allocation(ShardEvent event) {
    return Objects.requireNonNull(event.allocation());
  }
}
