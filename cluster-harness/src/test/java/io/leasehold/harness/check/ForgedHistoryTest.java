package io.leasehold.harness.check;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Operation;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One forged line in a good history is found, and the operations concerned are named. */
class ForgedHistoryTest {

  private static final int SECONDS = 40;

  /** A grant, and its holder's release after it. */
  private record Grant(Invoke invoke, Return end, Invoke release) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsAGrantThatOverlapsAnother(long seed) {
    List<HistoryEvent> events = SimulatedRun.events(seed, SECONDS, 2);
    List<Grant> grants = grants(events);
    Grant older = one(seed, grants.subList(0, grants.size() - 20));
    Grant newer =
        grants.stream()
            .filter(grant -> grant.end().token() > older.end().token())
            .filter(grant -> sameLease(grant.invoke().handle(), older.invoke().handle()))
            .filter(grant -> !grant.invoke().handle().equals(older.invoke().handle()))
            .findFirst()
            .orElseThrow();
    long at = older.end().at() + 5_000_000;

    Judgement judgement =
        judge(
            seed,
            forge(
                events,
                event -> {
                  if (event == newer.invoke()) {
                    return Invoke.acquire(
                        at,
                        newer.invoke().call(),
                        newer.invoke().handle(),
                        newer.invoke().ttlNanos(),
                        newer.invoke().waitNanos());
                  }
                  return event == newer.end()
                      ? Return.granted(at + 1_000, newer.end().call(), newer.end().token())
                      : event;
                }));

    assertThat(rules(judgement)).contains(Rule.S1);
    assertThat(named(judgement, Rule.S1))
        .anyMatch(
            text ->
                text.contains("token " + older.end().token())
                    && text.contains("token " + newer.end().token()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsALoweredToken(long seed) {
    List<HistoryEvent> events = SimulatedRun.events(seed, SECONDS, 2);
    List<Grant> grants = grants(events);
    Grant lowered = one(seed, grants.subList(20, grants.size()));
    long token = lowered.end().token();

    for (long forged : new long[] {token - 1, token - 2, 3}) {
      List<HistoryEvent> inTheAnswer =
          forge(
              events,
              event ->
                  event == lowered.end()
                      ? Return.granted(lowered.end().at(), lowered.end().call(), forged)
                      : event);
      List<HistoryEvent> everywhere = forge(inTheAnswer, event -> lower(event, token, forged));

      assertThat(named(judge(seed, inTheAnswer), null)).anyMatch(text -> names(text, forged));
      assertThat(named(judge(seed, everywhere), null)).anyMatch(text -> names(text, forged));
    }
  }

  private static HistoryEvent lower(HistoryEvent event, long token, long forged) {
    if (event instanceof Sample sample && sample.token() == token) {
      return Sample.of(sample.handle(), forged, sample.alive(), sample.before(), sample.after());
    }
    return event instanceof Lost lost && lost.token() == token
        ? Lost.of(lost.handle(), lost.at(), forged, lost.reason())
        : event;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsEveryDoubledLoss(long seed) {
    List<HistoryEvent> events = SimulatedRun.events(seed, SECONDS, 2);

    for (Lost lost : losses(events)) {
      List<HistoryEvent> forged = new ArrayList<>(events);
      forged.add(Lost.of(lost.handle(), lost.at() + 1_000, lost.token(), lost.reason()));

      Judgement judgement = judge(seed, forged);

      assertThat(rules(judgement)).containsExactly(Rule.S6);
      assertThat(named(judgement, Rule.S6)).anyMatch(text -> names(text, lost.token()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsEveryRemovedLoss(long seed) {
    List<HistoryEvent> events = SimulatedRun.events(seed, SECONDS, 2);

    for (Lost lost : losses(events)) {
      if (!livesOn(events, lost)) {
        continue;
      }
      Judgement judgement = judge(seed, events.stream().filter(event -> event != lost).toList());

      assertThat(rules(judgement)).as("%s", lost).contains(Rule.S13);
      assertThat(named(judgement, Rule.S13)).anyMatch(text -> names(text, lost.token()));
    }
  }

  /** Whether the process was there for as long after a loss as a handler may take. */
  private static boolean livesOn(List<HistoryEvent> events, Lost lost) {
    long until = lost.at() + 1_100_000_000L;
    return until < SECONDS * 1_000_000_000L
        && events.stream()
            .filter(Life.class::isInstance)
            .map(Life.class::cast)
            .noneMatch(
                life ->
                    life.step() == Life.Step.KILL
                        && life.node().equals(lost.handle().node())
                        && life.run() == lost.handle().run()
                        && life.at() < until);
  }

  private static List<Lost> losses(List<HistoryEvent> events) {
    return events.stream().filter(Lost.class::isInstance).map(Lost.class::cast).toList();
  }

  private static boolean names(String text, long token) {
    return text.matches("(?s).*\\btokens? " + token + "\\b.*");
  }

  private static Judgement judge(long seed, List<HistoryEvent> events) {
    return HistoryChecker.check(SimulatedRun.header(seed), events);
  }

  private static Set<Rule> rules(Judgement judgement) {
    return judgement.verdict().violations().stream()
        .map(Violation::rule)
        .collect(Collectors.toSet());
  }

  /** What is said and shown of each violation; of one rule, or of all. */
  private static List<String> named(Judgement judgement, @Nullable Rule rule) {
    return judgement.verdict().violations().stream()
        .filter(violation -> rule == null || violation.rule() == rule)
        .map(violation -> violation.what() + "\n" + violation.evidence())
        .toList();
  }

  private static List<HistoryEvent> forge(
      List<HistoryEvent> events, UnaryOperator<HistoryEvent> forger) {
    return events.stream().map(forger).toList();
  }

  private static boolean sameLease(Handle one, Handle other) {
    return one.lease().equals(other.lease());
  }

  private static Grant one(long seed, List<Grant> grants) {
    return grants.get(new Random(seed).nextInt(grants.size()));
  }

  /** Grants that were held for at least 20 ms and then released, in the order of their tokens. */
  private static List<Grant> grants(List<HistoryEvent> events) {
    Map<Long, Invoke> invocations = new HashMap<>();
    Map<Handle, Grant> held = new HashMap<>();
    List<Grant> grants = new ArrayList<>();
    for (HistoryEvent event : events) {
      if (event instanceof Invoke invoke) {
        invocations.put(invoke.call(), invoke);
        Grant grant = held.remove(invoke.handle());
        if (invoke.op() == Operation.RELEASE
            && grant != null
            && invoke.at() - grant.end().at() > 20_000_000) {
          grants.add(new Grant(grant.invoke(), grant.end(), invoke));
        }
      } else if (event instanceof Return end && end.token() != 0) {
        Invoke invoke = requireNonNull(invocations.get(end.call()));
        held.put(invoke.handle(), new Grant(invoke, end, invoke));
      }
    }
    grants.sort((one, other) -> Long.compare(one.end().token(), other.end().token()));
    return grants;
  }
}
