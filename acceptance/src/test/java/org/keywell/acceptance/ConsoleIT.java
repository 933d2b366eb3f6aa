package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Browser;
import org.keywell.acceptance.running.Clients;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.CkFunction;
import org.keywell.keypool.hsm.pkcs11.FailingCalls;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.signing.hsm.Devices;
import org.keywell.testkit.Await;
import org.keywell.testkit.FreePort;
import org.keywell.testkit.Sql;
import tools.jackson.databind.JsonNode;

/** The console in a real browser, while a real service signs. */
final class ConsoleIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 2_000;
  private static final int LISTED = 20;
  private static final long CKR_DEVICE_ERROR = 0x30;

  /** Much less than the web server's patience with requests at hand, which is 70 s. */
  private static final Duration PROMPT_STOP = Duration.ofSeconds(45);

  /** What was seen, for people to look at. */
  private static final Path PICTURES = Path.of("target", "console");

  @TempDir Path home;

  @Test
  void showsAServiceThatSignsAndFindsItAgainAfterARestart() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, STOCK);
      Map<String, String> settings =
          site.settings(
              Settings.pool(SPEC, 60), Map.of("server.port", Integer.toString(FreePort.find())));
      RunningKeywell first = RunningKeywell.start(settings);
      try (Browser browser = Browser.start(Files.createDirectory(home.resolve("profile")))) {
        browser.open(first.http().base() + "/console");
        Await.until("the page is live", () -> isLive(browser));
        assertThat(browser.count("#requests tr")).isZero();
        assertThat(browser.count("#kmip[hidden]")).as("without KMIP").isOne();
        assertThat(browser.count("#xks[hidden]")).as("without XKS").isOne();
        assertThat(browser.count("#jms[hidden]")).as("without JMS").isOne();
        sign(first, browser);
        assertFiguresAgree(first, site.sql(), browser);
        assertLeadsFurther(first, browser);
        refuse(first, browser);
        Await.until(
            "a pool that nobody uses is no cause for alarm",
            () ->
                browser.text("#empty .value").contains("no requests now")
                    && browser.count("#empty[data-state=bad]") == 0);
        assertFitsAndIsAccessible(browser, "");
        assertThat(browser.errors()).as("in the browser's log").isEmpty();
        assertThat(browser.requested())
            .as("addresses")
            .isNotEmpty()
            .allMatch(url -> url.startsWith(first.http().base() + "/console"));

        long began = System.nanoTime();
        first.close();
        assertThat(Duration.ofNanos(System.nanoTime() - began))
            .as("the stop does not wait for the stream")
            .isLessThan(PROMPT_STOP);
        Await.until(
            "the page says that it is cut off",
            () -> browser.text("#connection").startsWith("Connection lost"));
        assertTellsThatItIsOld(browser);
        assertFitsAndIsAccessible(browser, "lost-");
        try (RunningKeywell _ = RunningKeywell.start(settings)) {
          Await.until("the page is live again", () -> isLive(browser));
          Await.until(
              "it shows the new process",
              () -> browser.text("#totals .value").startsWith("0 signed"));
        }
        assertThat(browser.errors())
            .as("nothing but the interruption")
            .allMatch(error -> error.contains("/console/events"));
      } finally {
        first.close();
      }
    }
  }

  /** Nothing ends the connection of a process that stands still. */
  @Test
  void aServiceThatHangsIsNotShownAsReady() throws Exception {
    try (Site site = Site.create(home);
        KeywellProcess keywell =
            KeywellProcess.start(
                site.settings(Settings.pool(SPEC, 2)), home.resolve("log"), "serve")) {
      HttpApi http = keywell.awaitReady();
      try (Browser browser = Browser.start(Files.createDirectory(home.resolve("profile")))) {
        browser.open(http.base() + "/console");
        Await.until("the page is live", () -> isLive(browser));

        keywell.freeze();
        Await.until(
            "the page notices", () -> browser.text("#connection").startsWith("Connection lost"));
        assertTellsThatItIsOld(browser);

        keywell.thaw();
        Await.until("the page is live again", () -> isLive(browser));
      }
    }
  }

  private static void assertTellsThatItIsOld(Browser browser) {
    assertThat(browser.count("[data-state=good], [data-state=bad]"))
        .as("figures as if they were of now")
        .isZero();
    assertThat(
            browser.holds(
                """
                [...document.querySelectorAll('.figures .value')].every((value) =>
                  /as of \\d\\d:\\d\\d:\\d\\d$/.test(value.innerText))\
                """))
        .as("each figure says of when it is")
        .isTrue();
    assertThat(browser.run("return document.title")).asString().startsWith("No connection");
    assertThat(browser.run("return document.querySelector('#summary[role=status]').textContent"))
        .asString()
        .as("said aloud")
        .matches("Connection lost: what is shown is as of \\d\\d:\\d\\d:\\d\\d\\.");
  }

  private static void assertLeadsFurther(RunningKeywell keywell, Browser browser) throws Exception {
    assertThat(browser.run("return document.title")).asString().startsWith("Ready");
    assertThat(browser.text("#clock")).matches("\\d\\d:\\d\\d:\\d\\d");
    assertThat(browser.text("#version")).matches("Version \\S+");
    String api = String.valueOf(browser.run("return document.querySelector('#api').href"));
    assertThat(api).isEqualTo(keywell.http().base() + "/swagger-ui.html");
    String metrics = String.valueOf(browser.run("return document.querySelector('#metrics').href"));
    assertThat(metrics).isEqualTo(keywell.management().base() + "/actuator/prometheus");
  }

  /** The device's answers are made up, and its proof follows soon. */
  private static void refuse(RunningKeywell keywell, Browser browser) throws Exception {
    Pkcs11Hsm device = keywell.part(Devices.class).first().pkcs11();
    Await.until(
        "a request is refused at the door",
        () -> {
          FailingCalls.report(device, CkFunction.C_SIGN, CKR_DEVICE_ERROR);
          return keywell
              .http()
              .sign(SignBody.of("refused").keySpec(SPEC))
              .problem()
              .equals("hsm-unavailable");
        });
    Await.until(
        "when and why is shown",
        () ->
            browser
                .text("#totals .value")
                .matches("(?s).*last refused at \\d\\d:\\d\\d:\\d\\d: the HSM failed"));
    Await.until("it is ready again", () -> browser.text("#readiness .value").equals("Ready"));
  }

  private static boolean isLive(Browser browser) {
    return browser.text("#connection").startsWith("Live");
  }

  private static void sign(RunningKeywell keywell, Browser browser) throws Exception {
    Clients clients = Clients.start(keywell.http(), SPEC, 2);
    try {
      Await.until("the list is full", () -> browser.count("#requests tr") == LISTED);
      Await.until("the rate is shown", () -> !browser.text("#rate .value").startsWith("0.0 /s"));
      Await.until("so is the latency", () -> browser.text("#latency .value").contains("ms"));
    } finally {
      clients.close();
    }
    clients.join();
    assertThat(browser.number("document.querySelectorAll('[role=img] canvas').length"))
        .as("stored and loaded keys of two kinds, rate, queue, latency")
        .isEqualTo(7);
    Await.until("each plot is drawn", () -> isDrawn(browser));
    assertThat(
            browser.holds(
                """
                [...document.querySelectorAll('#requests .bar')].every((bar) => {
                  const widths = [...bar.children].map((part) => part.getBoundingClientRect().width);
                  const sum = widths.reduce((a, b) => a + b, 0);
                  return sum > 0 && sum <= bar.getBoundingClientRect().width + 1
                    && /sign \\d.*, certify \\d.*, destroy \\d/.test(bar.getAttribute('aria-label'));
                })\
                """))
        .as("each request has a bar of its stages")
        .isTrue();
  }

  private static boolean isDrawn(Browser browser) {
    return browser.holds(
        """
        [...document.querySelectorAll('canvas')].every((canvas) =>
          canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
            .data.some((value) => value > 0))\
        """);
  }

  private static void assertFiguresAgree(RunningKeywell keywell, Sql sql, Browser browser)
      throws Exception {
    long signed = sql.count("SELECT count(*) FROM sign_request WHERE status = 'signed'");
    assertThat(signed).isPositive();
    Await.until("all signed requests are counted", () -> total(browser, "signed") == signed);
    assertThat(total(browser, "failed"))
        .isEqualTo(sql.count("SELECT count(*) FROM sign_request WHERE status = 'failed'"));
    Await.until(
        "the page shows the depth that SQL and the service count",
        () -> {
          JsonNode status = keywell.http().get("/pool").body();
          JsonNode pool =
              status
                  .path("pools")
                  .valueStream()
                  .filter(one -> one.path("keySpec").asString("").equals(SPEC.label()))
                  .findFirst()
                  .orElseThrow();
          return shown(browser, "stored") == pool.path("stored").asLong()
              && shown(browser, "stored") == sql.count("SELECT count(*) FROM pool_key")
              && shown(browser, "loaded") == pool.path("loaded").asLong()
              && shown(browser, "loaded") == sql.count("SELECT count(*) FROM claimed_key");
        });
    Await.until("the queue is empty", () -> browser.text("#queue .value").startsWith("0 of 150"));
    assertThat(
            sql.count(
                "SELECT count(*) FROM sign_request WHERE left(request_id::text, 8) IN ('%s')"
                    .formatted(
                        browser.run(
                            """
                            return [...document.querySelectorAll('#requests th')]
                              .map((cell) => cell.title).join("','")\
                            """))))
        .as("listed requests that are on record")
        .isEqualTo(LISTED);
  }

  /** The number before a word. */
  private static long total(Browser browser, String outcome) {
    return browser.number(
        "Number((document.querySelector('#totals .value').innerText.replaceAll(',', '')"
            + ".match(/(\\d+) "
            + outcome
            + "/) ?? [0, 0])[1])");
  }

  /** The value in the legend of a plot of the pool. */
  private static long shown(Browser browser, String label) {
    return browser.number(
        "Number([...document.querySelectorAll('#pools .plot')].find((plot) =>"
            + " plot.querySelector('h3').innerText.startsWith('%s: %s')).querySelector('.legend b')"
                .formatted(SPEC.label(), label)
            + ".innerText.replaceAll(',', '').replace('–', '-1'))");
  }

  private static void assertFitsAndIsAccessible(Browser browser, String picture) throws Exception {
    Files.createDirectories(PICTURES);
    for (String scheme : new String[] {"light", "dark"}) {
      browser.colours(scheme);
      for (int width : new int[] {360, 768, 1280}) {
        browser.width(width, 900);
        Await.until(
            "the plots have the page's width",
            () ->
                browser.holds(
                    """
                    [...document.querySelectorAll('.canvas')].every((frame) => Math.abs(
                      frame.clientWidth - frame.querySelector('canvas').clientWidth) <= 1)\
                    """));
        assertThat(browser.number("innerWidth")).isEqualTo(width);
        assertThat(browser.number("document.documentElement.scrollWidth"))
            .as("no sideways scrolling at " + width)
            .isLessThanOrEqualTo(width);
        assertThat(browser.violations()).as(scheme + " at " + width).isEmpty();
        browser.width(width, (int) browser.number("document.documentElement.scrollHeight"));
        Await.until("each plot is drawn", () -> isDrawn(browser));
        browser.screenshot(PICTURES.resolve(picture + scheme + "-" + width + ".png"));
      }
    }
  }
}
