package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static io.leasehold.contract.Scene.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseEvent;
import io.leasehold.LeaseEvent.Kind;
import io.leasehold.LeaseStatus;
import io.leasehold.Subscription;
import io.leasehold.contract.ContractCluster.Capability;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What observers see. */
public interface InspectorRules {

  Scene scene();

  @Test
  @DisplayName("R75 find tells who holds a lease, and nothing of a free one")
  default void findTellsTheHolder() {
    Scene scene = scene();
    assertThat(scene.find(N1)).isEmpty();
    Lease lease = scene.held(N1, "a");

    LeaseStatus status = scene.find(N2).orElseThrow();

    assertThat(status.name()).isEqualTo(scene.name());
    assertThat(status.owner()).isEqualTo("a");
    assertThat(status.node()).isEqualTo(N1);
    assertThat(status.fencingToken()).isEqualTo(scene.token(lease));
    assertThat(status.ttl()).isEqualTo(scene.ttl());
    assertThat(status.remaining()).isPositive().isLessThanOrEqualTo(scene.ttl());
    assertThat(status.waiters()).isZero();
    assertThat(status.revoked()).isFalse();
  }

  @Test
  @DisplayName("R76 list has every lease that is held, in the order of their names")
  default void listIsInOrder() {
    Scene scene = scene();
    for (String suffix : List.of("c", "a", "b")) {
      scene.hold(
          scene.cluster().node(N1).lease(scene.settings(N1).withName(scene.name() + "/" + suffix)));
    }
    Lease freed = scene.cluster().node(N1).lease(scene.settings(N1).withName(scene.name() + "/d"));
    scene.hold(freed);
    scene.release(freed);

    List<String> names =
        scene.await("the list", scene.inspector(N2).list()).stream()
            .map(LeaseStatus::name)
            .filter(name -> name.startsWith(scene.name()))
            .toList();

    assertThat(names)
        .containsExactly(scene.name() + "/a", scene.name() + "/b", scene.name() + "/c");
  }

  /** CASES.md, 116. */
  @Test
  @DisplayName("R77 every node reads what any node has completed before")
  default void readsAreLinearizable() {
    Scene scene = scene();

    for (String writer : List.of(N1, N2, N3)) {
      Lease lease = scene.held(writer);
      for (String reader : List.of(N3, N1, N2)) {
        assertThat(scene.find(reader).map(LeaseStatus::fencingToken))
            .as("what %s reads after %s acquired", reader, writer)
            .contains(scene.token(lease));
      }
      scene.release(lease);
      for (String reader : List.of(N3, N1, N2)) {
        assertThat(scene.find(reader)).as("after the release").isEmpty();
      }
    }
  }

  @Test
  @DisplayName("R78 a watch begins with the state and follows each change in order")
  default void watchFollowsEachChange() {
    Scene scene = scene();
    String name = scene.name();
    try (Events events = Events.of(scene.inspector(N3), name)) {
      scene.until("the state is told", () -> events.count() == 1);
      Lease first = scene.held(N1, "a");
      long firstToken = scene.token(first);
      scene.release(first);
      Lease second = scene.held(N2, "b");
      long secondToken = scene.token(second);
      scene.revoke(N1, second);
      scene.until("the changes are told", () -> events.count() >= 5);

      assertThat(events.seen().subList(0, 5))
          .containsExactly(
              new LeaseEvent(Kind.FREE, name, null, null, 0),
              new LeaseEvent(Kind.GRANTED, name, "a", N1, firstToken),
              new LeaseEvent(Kind.RELEASED, name, "a", N1, firstToken),
              new LeaseEvent(Kind.GRANTED, name, "b", N2, secondToken),
              new LeaseEvent(Kind.REVOKED, name, "b", N2, secondToken));
    }
  }

  @Test
  @DisplayName("R79 a watch of a held lease begins with its holder, and of all leases with theirs")
  default void watchBeginsWithTheHolder() {
    Scene scene = scene();
    String name = scene.name();
    Lease lease = scene.held(N1, "a");
    LeaseEvent current = new LeaseEvent(Kind.CURRENT, name, "a", N1, scene.token(lease));

    try (Events one = Events.of(scene.inspector(N2), name);
        Events all = Events.ofAll(scene.inspector(N2))) {
      scene.until("one is told", () -> one.count() == 1);
      scene.until("all are told", () -> all.has(Kind.CURRENT, name));
      scene.release(lease);
      scene.until("one sees the release", () -> one.has(Kind.RELEASED, name));
      scene.until("all see the release", () -> all.has(Kind.RELEASED, name));

      assertThat(one.seen()).hasSize(2).startsWith(current);
      assertThat(all.seen()).contains(current);
    }
  }

  @Test
  @DisplayName("R80 an observer that throws disturbs nobody, and one that was closed sees no more")
  default void observersAreIndependent() {
    Scene scene = scene();
    Events closed = Events.of(scene.inspector(N2), scene.name());
    Subscription thrower =
        scene
            .inspector(N2)
            .watch(
                scene.name(),
                event -> {
                  throw new IllegalStateException("an observer of the contract kit throws");
                });
    Events events = Events.of(scene.inspector(N2), scene.name());
    scene.until("the state is told", () -> closed.count() == 1 && events.count() == 1);

    closed.close();
    closed.close();
    scene.held(N1);
    scene.until("the grant is told", () -> events.count() == 2);
    scene.settle();
    thrower.close();
    events.close();

    assertThat(closed.count()).isEqualTo(1);
  }

  /** CASES.md, 56: the last state always arrives. */
  @Test
  @DisplayName("R81 a watch that was cut off tells the state when it is back")
  default void watchCatchesUp() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease lease = scene.held(N1, "a");
    try (Events events = Events.of(scene.inspector(N3), scene.name())) {
      scene.until("the state is told", () -> events.count() == 1);

      scene.cluster().disconnect(N3);
      scene.release(lease);
      Lease other = scene.held(N2, "b");
      scene.settle();
      scene.cluster().reconnect(N3);

      scene.until(
          "the last state arrives", () -> events.last().fencingToken() == scene.token(other));
      assertThat(events.last().kind()).isIn(Kind.CURRENT, Kind.GRANTED);
    }
  }
}
