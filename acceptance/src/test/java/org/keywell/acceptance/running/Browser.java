package org.keywell.acceptance.running;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.SessionNotCreatedException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.webjars.WebJarVersionLocator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real Chromium without a window, with a profile of its own. */
public final class Browser implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /**
   * Starts it.
   *
   * @param profile an empty directory
   */
  public static Browser start(Path profile) {
    return start(profile, null);
  }

  /** Starts it for somebody who has a certificate of their own. */
  public static Browser start(Path profile, @Nullable BrowserCertificate own) {
    Path chromium = program("KEYWELL_TEST_CHROMIUM", "/usr/bin/chromium");
    Path chromedriver = program("KEYWELL_TEST_CHROMEDRIVER", "/usr/bin/chromedriver");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.toString());
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--user-data-dir=" + profile);
    if (own != null) {
      options.setExperimentalOption("prefs", own.preferences());
    }
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(chromedriver.toFile())
            .usingAnyFreePort()
            .withEnvironment(own == null ? Map.of() : Map.of("HOME", own.home().toString()))
            .build();
    try {
      ChromeDriver driver = new ChromeDriver(service, options);
      driver.manage().timeouts().scriptTimeout(LIMIT);
      driver.manage().timeouts().pageLoadTimeout(LIMIT);
      return new Browser(driver);
    } catch (SessionNotCreatedException e) {
      if (chromium.startsWith("/usr")) {
        throw e;
      }
      return abort(
          "Chromium does not work unpacked at %s, only installed (as root): %s"
              .formatted(chromium, e.getRawMessage()));
    }
  }

  private static Path program(String variable, String usual) {
    return Stream.of(System.getenv(variable), usual)
        .filter(Objects::nonNull)
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() ->
            new AssertionError(
                "tests need a browser: %s or %s; './keywell test' gets it"
                    .formatted(variable, usual)));
  }

  public void open(String url) {
    driver.get(url);
  }

  /** What the script returns. */
  public @Nullable Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** Text of the first element that fits, without what only screen readers get; or empty. */
  public String text(String selector) {
    return String.valueOf(
        run("return document.querySelector(arguments[0])?.innerText ?? ''", selector));
  }

  /** How many elements fit. */
  public long count(String selector) {
    return number("document.querySelectorAll('" + selector + "').length");
  }

  /** A whole number. */
  public long number(String expression) {
    return ((Number) Objects.requireNonNull(run("return " + expression))).longValue();
  }

  public boolean holds(String expression) {
    return Boolean.TRUE.equals(run("return Boolean(" + expression + ")"));
  }

  /** From now on the page is so wide, in its own pixels. */
  public void width(int pixels, int height) {
    Map<String, Object> _ =
        driver.executeCdpCommand(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", pixels, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /**
   * From now on the system prefers these colours.
   *
   * @param scheme {@code light} or {@code dark}
   */
  public void colours(String scheme) {
    Map<String, Object> _ =
        driver.executeCdpCommand(
            "Emulation.setEmulatedMedia",
            Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** What is in the window, as a PNG file. */
  public void screenshot(Path file) throws IOException {
    Map<String, Object> answer =
        driver.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png"));
    Files.write(file, Base64.getDecoder().decode(String.valueOf(answer.get("data"))));
  }

  /** Errors that the page left in the browser's log since it was asked for last. */
  public List<String> errors() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /** Addresses that the page asked for since it was asked for last. */
  public List<String> requested() {
    return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
        .map(entry -> JSON.readTree(entry.getMessage()).path("message"))
        .filter(message -> message.path("method").asString("").equals("Network.requestWillBeSent"))
        .map(message -> message.path("params").path("request").path("url").asString(""))
        // The browser's own first page, and what is not asked of anybody.
        .filter(url -> !url.startsWith("chrome:") && !url.startsWith("data:"))
        .toList();
  }

  /** What axe-core finds wrong for people with disabilities: rules and the elements they name. */
  public List<String> violations() throws IOException {
    String path = new WebJarVersionLocator().fullPath("axe-core", "axe.min.js");
    try (InputStream axe = Browser.class.getResourceAsStream("/" + path)) {
      Object _ =
          run(new String(Objects.requireNonNull(axe).readAllBytes(), StandardCharsets.UTF_8));
    }
    Object result =
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            axe.run().then(
              (found) => done(JSON.stringify(found.violations)),
              (failure) => done(JSON.stringify([{ id: String(failure), nodes: [] }])));
            """);
    JsonNode violations = JSON.readTree(String.valueOf(result));
    return violations.valueStream().map(Browser::describe).toList();
  }

  private static String describe(JsonNode violation) {
    return violation.path("id").asString("")
        + " at "
        + violation
            .path("nodes")
            .valueStream()
            .map(node -> node.path("html").asString(""))
            .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
