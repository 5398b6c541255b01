package io.leasehold.store.guard;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.leasehold.store.PeerRefusal;
import io.leasehold.time.VirtualTime;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is counted of refused peers, and what is logged. */
final class RefusalLogTest {

  private final VirtualTime time = new VirtualTime();
  private final RefusalLog log = new RefusalLog("n1", time);
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

  @BeforeEach
  void listen() {
    logged.start();
    ((Logger) LoggerFactory.getLogger(RefusalLog.class)).addAppender(logged);
  }

  @AfterEach
  void stop() {
    ((Logger) LoggerFactory.getLogger(RefusalLog.class)).detachAppender(logged);
  }

  private List<String> lines() {
    return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void oneOfAKindAndAnAddressIsLoggedInAMinuteAndAllAreCounted() {
    for (int i = 0; i < 100; i++) {
      log.refused(PeerRefusal.UNREADABLE, "10.0.0.9", "noise");
    }
    log.refused(PeerRefusal.UNREADABLE, "10.0.0.8", "noise");
    log.refused(PeerRefusal.CERTIFICATE, "10.0.0.9", "expired");

    assertThat(lines()).hasSize(3);
    assertThat(log.count(PeerRefusal.UNREADABLE)).isEqualTo(101);
    assertThat(log.count(PeerRefusal.CERTIFICATE)).isEqualTo(1);
    assertThat(log.count(PeerRefusal.IDENTITY)).isZero();

    time.advance(Duration.ofSeconds(61));
    log.refused(PeerRefusal.UNREADABLE, "10.0.0.9", "noise");

    assertThat(lines()).hasSize(4);
  }

  @Test
  void theLineSaysWhoAndWhyAndWhatItMeans() {
    log.refused(PeerRefusal.IDENTITY, new InetSocketAddress("10.0.0.9", 4_711), "says it is n3");

    assertThat(lines())
        .containsExactly(
            "node n1 refuses 10.0.0.9: it speaks for a node that its certificate does not name:"
                + " find out who that is (says it is n3); more of the kind from there is only"
                + " counted for a minute");
  }

  @Test
  void whatAPeerHasSentIsEscaped() {
    log.refused(PeerRefusal.IDENTITY, "10.0.0.9", "n3\n12:00 WARN all is well\u001b[2J");

    assertThat(lines())
        .singleElement()
        .asString()
        .contains("n3\\u000a12:00")
        .doesNotContainPattern("\\p{Cntrl}");
  }

  @Test
  void aCrowdIsCountedAndDoesNotFillTheLogOrTheMemory() {
    for (int i = 0; i < 5_000; i++) {
      log.refused(PeerRefusal.UNREADABLE, "2001:db8::" + Integer.toHexString(i), "noise");
    }

    assertThat(lines()).hasSize(1_000);
    assertThat(log.count(PeerRefusal.UNREADABLE)).isEqualTo(5_000);
  }
}
