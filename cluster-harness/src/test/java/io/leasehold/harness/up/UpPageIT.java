package io.leasehold.harness.up;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page of {@code up} in a real browser. Its pictures are kept in target/screenshots. */
final class UpPageIT {

  @TempDir static Path temporary;
  private static @Nullable UpProcess started;
  private static @Nullable Browser opened;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(
        Browser.isThere(),
        "the page is NOT TESTED: there is no Chromium here (Debian: apt-get install chromium"
            + " chromium-driver)");
    opened = Browser.start();
    started = UpProcess.start(temporary, "--http", "0");
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (opened != null) {
      opened.close();
    }
    if (started != null) {
      started.terminate();
    }
  }

  private final Browser browser = requireNonNull(opened);
  private final PageAudit audit = new PageAudit(browser);

  @BeforeEach
  void open() {
    browser.width(1280);
    browser.colors("light");
    browser.open(requireNonNull(started).url());
    awaitText("#summary", "3 of 3 nodes serve");
    List<String> unusedComplaints = browser.complaints();
  }

  /** The next test finds the cluster whole, whatever became of this one. */
  @AfterEach
  void mend() {
    browser.run(
        """
        for (const button of document.querySelectorAll('article button, #leases button')) {
          if (/^(Start|Resume|Heal|Release)/.test(button.textContent)) button.click();
        }
        """);
  }

  @Test
  void killedHolderIsSeenToLoseItsLeaseToTheWaiter() {
    String holder = follower("");
    String waiter = follower(holder);
    acquire("printer", "anna", holder, "3s", "0s");
    awaitText("#leases", "anna on " + holder);
    acquire("printer", "ben", waiter, "3s", "30s");
    awaitText("#leases", "ben on " + waiter);
    awaitText("#leases", "1");
    String first = browser.text("#leases .number");
    browser.run("window.scrollTo(0, 0)");
    browser.picture("held-light");

    browser.button("Kill " + holder).click();

    awaitText("article[aria-labelledby='node-" + holder + "']", "down");
    awaitText("#events", "\"printer\" expired: anna on " + holder);
    awaitText("#events", "\"printer\" granted to ben on " + waiter);
    awaitText("#leases .holder", "ben on " + waiter);
    assertThat(Long.parseLong(browser.text("#leases .number")))
        .isGreaterThan(Long.parseLong(first));
    awaitText("#news", "granted to ben");
    browser.colors("dark");
    browser.picture("killed-dark");
    assertThat(audit.lowContrasts()).isEmpty();
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void leaseIsAcquiredAndReleasedByKeysAlone() {
    press(Keys.TAB);
    assertThat(browser.focused().getText()).isEqualTo("Skip to the content");
    tabTo("name");
    retype("by keys");
    press(Keys.TAB);
    retype("carl");
    assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
        .as("the mark of the focus")
        .isEqualTo("solid");

    press(Keys.ENTER);

    awaitText("#leases", "by keys");
    awaitText("#said", "carl on n1 holds \"by keys\"");
    for (int i = 0; i < 40 && !name(browser.focused()).equals("Release by keys"); i++) {
      press(Keys.TAB);
    }
    assertThat(name(browser.focused())).isEqualTo("Release by keys");
    press(Keys.SPACE);
    awaitText("#no-leases", "Nobody holds a lease");
    assertThat(browser.focused().getAttribute("id")).as("the focus").isEqualTo("leases-title");
  }

  @Test
  void everybodyCanUseIt() {
    acquire("audited", "dora", "n1", "30s", "0s");
    awaitText("#leases", "audited");
    browser.button("Pause n2").click();
    awaitText("article[aria-labelledby='node-n2']", "paused");
    browser.button("Cut off n3").click();
    awaitText("article[aria-labelledby='node-n3']", "cut off");

    assertThat(audit.namelessControls()).isEmpty();
    assertThat(audit.ambiguousButtons()).isEmpty();
    assertThat(audit.brokenStructure()).isEmpty();
    assertThat(audit.lowContrasts()).as("in the light").isEmpty();
    browser.colors("dark");
    assertThat(audit.lowContrasts()).as("in the dark").isEmpty();
    browser.width(390);
    assertThat(audit.tooWide()).as("too wide for a telephone").isEmpty();
    browser.picture("telephone-dark");
    browser.width(1280);
    browser.button("Resume n2").click();
    awaitText("article[aria-labelledby='node-n2']", "serves");
    browser.button("Heal n3").click();
    awaitText("#summary", "3 of 3 nodes serve");
  }

  @Test
  void namesAreTextWhateverTheyAre() {
    String hostile = "<img src=x onerror=document.title='broken'>";
    HostPort node = nodeAddress();
    NodeClient.await(
        NodeClient.of(node).acquire(hostile, "<b>eve</b>", Duration.ofSeconds(20), Duration.ZERO));

    awaitText("#leases", hostile);

    assertThat(browser.text("#leases .holder")).startsWith("<b>eve</b> on ");
    assertThat(browser.findAll("#leases img, #events img, #leases b")).isEmpty();
    assertThat(browser.run("return document.title")).isEqualTo("Leasehold");
    browser.button("Revoke " + hostile).click();
    awaitText("#events", "revoked from <b>eve</b>");
    awaitText("#no-leases", "Nobody holds a lease");
  }

  @Test
  void loadIsDrawnInCharts() {
    browser.button("Run a small load").click();
    awaitText("#load", "Stop the load");
    await("changes in the chart")
        .until(() -> !browser.text("#rate .legend").matches("(?s).*leases a second (0|–).*"));
    browser.find("#hide-load").click();
    awaitText("#events", "\"load-1\" granted");
    browser.picture("load-light");
    browser.button("Stop the load").click();
    awaitText("#load", "Run a small load");
  }

  @Test
  void pageOutlivesARestartOfItsServer() throws IOException, InterruptedException {
    List<Long> nodes;
    int port;
    try (UpProcess former = UpProcess.start(temporary, "--http", "0", "--nodes", "1")) {
      nodes = former.nodes();
      port = URI.create(former.url()).getPort();
      browser.open(former.url());
      awaitText("#summary", "1 of 1 nodes serve");
      browser.run("window.isTheSamePage = true");
      browser.button("Pause n1").click();
      awaitText("article", "paused");

      former.kill();
    }

    awaitText("#link", "reconnecting");
    await("the end of its node, although it was paused")
        .until(() -> nodes.stream().allMatch(UpProcess::isGone));
    browser.picture("gone-light");
    try (UpProcess next =
        UpProcess.start(temporary, "--http", String.valueOf(port), "--nodes", "1")) {
      awaitText("#link", "live");
      awaitText("#summary", "1 of 1 nodes serve");
      assertThat(browser.run("return window.isTheSamePage")).isEqualTo(true);
      next.terminate();
    }
  }

  private void acquire(String lease, String owner, String node, String ttl, String wait) {
    browser.find("#acquire option[value=" + node + "]").click();
    fill("name", lease);
    fill("owner", owner);
    fill("ttl", ttl);
    fill("wait", wait);
    browser.button("Acquire").click();
  }

  private void fill(String field, String text) {
    WebElement input = browser.find("#acquire [name=" + field + "]");
    input.clear();
    input.sendKeys(text);
  }

  private String follower(String other) {
    return browser.findAll("article").stream()
        .filter(node -> node.getText().contains("Follower"))
        .map(node -> node.findElement(By.tagName("h3")).getText())
        .filter(id -> !id.equals(other))
        .findFirst()
        .orElseThrow();
  }

  /** Where the leader's HTTP is, out of what the page was sent. */
  private HostPort nodeAddress() {
    Object address = browser.run("return document.querySelector('article .address').textContent");
    return HostPort.parse(String.valueOf(address));
  }

  private void press(CharSequence... keys) {
    browser.focused().sendKeys(keys);
  }

  private void tabTo(String field) {
    for (int i = 0; i < 40 && !field.equals(browser.focused().getDomAttribute("name")); i++) {
      press(Keys.TAB);
    }
  }

  private void retype(String text) {
    press(Keys.chord(Keys.CONTROL, "a"));
    press(text);
  }

  private static String name(WebElement element) {
    return String.valueOf(element.getAccessibleName());
  }

  private void awaitText(String css, String text) {
    await("\"" + text + "\" in " + css)
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> browser.text(css).contains(text));
  }
}
