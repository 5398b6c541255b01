package io.leasehold.harness.up;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A Chromium without a window, as Debian packs it. */
final class Browser implements AutoCloseable {

  private static final List<String> FOLDERS = List.of("/usr/bin", "/usr/lib/chromium", "/snap/bin");

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Whether there is one on this machine. */
  static boolean isThere() {
    return chromium().isPresent() && chromedriver().isPresent();
  }

  /** Starts it. Nothing is downloaded, for the paths are given. */
  static Browser start() {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium().orElseThrow().toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--force-prefers-reduced-motion",
        "--window-size=1280,1400");
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(chromedriver().orElseThrow().toFile())
            .build();
    ChromeDriver driver = new ChromeDriver(service, options);
    driver.manage().timeouts().pageLoadTimeout(Duration.ofSeconds(20));
    return new Browser(driver);
  }

  private static Optional<Path> chromium() {
    return program("chromium", "chromium-browser", "google-chrome");
  }

  private static Optional<Path> chromedriver() {
    return program("chromedriver");
  }

  private static Optional<Path> program(String... names) {
    return Stream.of(names)
        .flatMap(name -> FOLDERS.stream().map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  void open(String url) {
    driver.get(url);
  }

  WebElement find(String css) {
    return driver.findElement(By.cssSelector(css));
  }

  List<WebElement> findAll(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  /** The text that is seen, or an empty one while no such element is. */
  String text(String css) {
    Object text =
        driver.executeScript(
            "const e = document.querySelector(arguments[0]); return e && e.checkVisibility() ? e.innerText : '';",
            css);
    return String.valueOf(text);
  }

  /** The button that goes by a name. */
  WebElement button(String name) {
    Object button =
        run(
            """
            return [...document.querySelectorAll('button')].find(
                (b) => (b.getAttribute('aria-label') || b.textContent.trim()) === arguments[0]);
            """,
            name);
    return (WebElement) requireNonNull(button, name);
  }

  /** Runs a script of the test in the page. */
  @Nullable Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** The element that the keyboard's next key goes to. */
  WebElement focused() {
    return driver.switchTo().activeElement();
  }

  void colors(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  void width(int width) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 1400, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Keeps a picture of the whole page among what the build puts out. */
  void picture(String name) {
    try {
      Path folder = Files.createDirectories(Path.of("target", "screenshots"));
      Object height = run("return document.documentElement.scrollHeight");
      Object width = run("return window.innerWidth");
      driver.executeCdpCommand(
          "Emulation.setDeviceMetricsOverride",
          Map.of(
              "width",
              requireNonNull(width),
              "height",
              requireNonNull(height),
              "deviceScaleFactor",
              1,
              "mobile",
              false));
      Files.write(folder.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What was amiss by the browser's console since this was asked last. */
  List<String> complaints() {
    return driver.manage().logs().get("browser").getAll().stream()
        .map(entry -> entry.getLevel() + " " + entry.getMessage())
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
