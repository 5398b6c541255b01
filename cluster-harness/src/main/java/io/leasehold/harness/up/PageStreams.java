package io.leasehold.harness.up;

import io.leasehold.harness.http.Exchange;
import io.leasehold.harness.http.Refusal;
import io.leasehold.harness.up.ClusterView.Happening;
import io.leasehold.harness.up.ClusterView.Sample;
import io.leasehold.harness.wire.Wire;
import io.leasehold.time.Timer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The open pages. Each is sent the newest state, and what has happened since it was sent something
 * last; one that reads slowly skips states. Confined to the loop.
 */
final class PageStreams {

  private static final int PAGES_MAX = 16;

  /** Short enough to seem at once, long enough for what comes together to go together. */
  private static final Duration TOGETHER = Duration.ofMillis(40);

  private final Timer timer;
  private final Map<Exchange, Page> pages = new LinkedHashMap<>();
  private boolean isDue;

  PageStreams(Timer timer) {
    this.timer = timer;
  }

  /** One open page, and what it has been sent. */
  private static final class Page {
    private final HttpServerResponse response;
    private long happenings;
    private long samples;

    Page(HttpServerResponse response) {
      this.response = response;
    }
  }

  /** Opens a stream for a page; it ends when the page closes. */
  void open(Exchange exchange, Overview overview) {
    exchange.query();
    if (pages.size() >= PAGES_MAX) {
      throw Refusal.unavailable("there are " + PAGES_MAX + " open pages: close one");
    }
    HttpServerResponse response = exchange.response();
    response
        .setChunked(true)
        .putHeader("Content-Type", "text/event-stream; charset=utf-8")
        .putHeader("Cache-Control", "no-store");
    Page page = new Page(response);
    pages.put(exchange, page);
    exchange.whenGone(
        () -> {
          pages.remove(exchange);
          overview.setWatched(!pages.isEmpty());
        });
    overview.setWatched(true);
    var unused = response.write("retry: 1000\n\n");
    send(page, overview, Wire.text(overview.view()));
  }

  /** Has all pages sent what is new, soon. */
  void changed(Overview overview) {
    if (isDue || pages.isEmpty()) {
      return;
    }
    isDue = true;
    var unused =
        timer.schedule(
            TOGETHER,
            () -> {
              isDue = false;
              String state = Wire.text(overview.view());
              pages.values().forEach(page -> send(page, overview, state));
            });
  }

  private static void send(Page page, Overview overview, String state) {
    if (page.response.closed() || page.response.ended() || page.response.writeQueueFull()) {
      return; // what it has not been sent, it is sent with the next state
    }
    StringBuilder text = new StringBuilder();
    List<Happening> happenings = overview.history().after(page.happenings);
    if (!happenings.isEmpty()) {
      page.happenings = happenings.get(happenings.size() - 1).number();
      frame(text, "happenings", Wire.text(happenings));
    }
    List<Sample> samples = overview.samplesAfter(page.samples);
    if (!samples.isEmpty()) {
      page.samples = samples.get(samples.size() - 1).number();
      frame(text, "samples", Wire.text(samples));
    }
    frame(text, "state", state);
    var unused = page.response.write(text.toString());
  }

  private static void frame(StringBuilder text, String event, String json) {
    text.append("event: ").append(event).append("\ndata: ").append(json).append("\n\n");
  }

  /** Ends all streams. */
  void close() {
    for (Page page : new ArrayList<>(pages.values())) {
      if (!page.response.ended()) {
        var unused = page.response.end();
      }
    }
  }
}
