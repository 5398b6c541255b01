package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LeaseEvent;
import io.leasehold.LeaseEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What observers are told, and in which order. */
final class ObserverTest {

  private final Stage stage = new Stage();
  private final List<LeaseEvent> seen = new ArrayList<>();

  /** A replica writes its table before it tells: what is in the state that was told is no news. */
  @Test
  void changeThatTheToldStateHasIsNotToldAgain() {
    stage.store.tellLater();
    stage.otherAcquires();
    stage.otherReleases();
    stage.otherAcquires();
    watch();

    stage.store.tell();
    stage.settle();

    assertThat(seen).extracting(LeaseEvent::kind).containsExactly(Kind.CURRENT);
    stage.otherReleases();
    stage.settle();
    assertThat(seen).extracting(LeaseEvent::kind).containsExactly(Kind.CURRENT, Kind.RELEASED);
  }

  /** An end that was still to be told is forgotten with all that was, and told as such. */
  @Test
  void endThatASnapshotHidesIsToldAsFree() {
    watch();
    stage.otherAcquires(); // whose event is on its way to the observer
    stage.otherReleases(); // whose event waits behind it

    stage.store.replace();
    stage.settle();

    assertThat(seen).extracting(LeaseEvent::kind).containsExactly(Kind.GRANTED, Kind.FREE);
  }

  private void watch() {
    var unused = stage.holder.inspector().watchAll(seen::add);
    stage.settle();
  }
}
