package io.leasehold.harness.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.harness.wire.EventView;
import io.leasehold.harness.wire.Wire;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * The way of events to one reader. Events may come from any thread; they are written on the loop,
 * as fast as the reader takes them. A reader that lags more than {@value #FRAMES_MAX} events behind
 * gets those, then a {@code behind} event with the number it missed, then what comes after.
 */
final class EventStream {

  static final int FRAMES_MAX = 4096;

  private final HttpServerResponse response;
  private final Executor loop;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Queue<String> frames = new ArrayDeque<>();

  @GuardedBy("lock")
  private long missed;

  @GuardedBy("lock")
  private boolean isDraining;

  EventStream(HttpServerResponse response, Executor loop) {
    this.response = response;
    this.loop = loop;
  }

  /** Hands an event over. */
  void offer(EventView event) {
    offer("event: " + event.event() + "\ndata: " + Wire.text(event) + "\n\n");
  }

  /** Hands a sign of life over, unless there is something to read anyway. */
  void offerSignOfLife() {
    synchronized (lock) {
      if (!frames.isEmpty() || missed > 0) {
        return;
      }
    }
    offer(": still here\n\n");
  }

  private void offer(String frame) {
    synchronized (lock) {
      if (missed > 0 || frames.size() >= FRAMES_MAX) {
        missed++;
        return;
      }
      frames.add(frame);
      if (isDraining) {
        return;
      }
      isDraining = true;
    }
    loop.execute(this::drain);
  }

  /** Writes until the connection is full, then goes on when it has room. Runs on the loop. */
  private void drain() {
    StringBuilder batch = new StringBuilder();
    synchronized (lock) {
      while (!frames.isEmpty() && batch.length() < 16_384) {
        batch.append(frames.remove());
      }
      if (batch.length() == 0 && missed > 0) {
        EventView behind = EventView.behind(missed);
        batch.append("event: behind\ndata: ").append(Wire.text(behind)).append("\n\n");
        missed = 0;
      }
      if (batch.length() == 0) {
        isDraining = false;
        return;
      }
    }
    if (response.closed() || response.ended()) {
      return; // nobody reads any more; the draining flag stays up, so nothing is scheduled again
    }
    var unused = response.write(batch.toString());
    if (response.writeQueueFull()) {
      response.drainHandler(room -> drain());
    } else {
      loop.execute(this::drain);
    }
  }
}
