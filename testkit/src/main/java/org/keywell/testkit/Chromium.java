package org.keywell.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Renders pages in a real, headless Chromium and returns what they show after their scripts. */
public final class Chromium {
  private static final long LIMIT_SECONDS = 60;
  private static final Pattern UNSEEN = Pattern.compile("(?s)<(script|style)[ >].*?</\\1>");
  private static final Pattern CELL = Pattern.compile("<(t[dh])(?: [^>]*)?>([^<]*)</\\1>");

  private Chromium() {}

  /**
   * Returns the page's elements, without scripts and styles.
   *
   * @param folder where the page may be written
   * @throws AssertionError if there is no Chromium, or the page writes to its console
   */
  public static String shown(String page, Path folder) throws IOException, InterruptedException {
    RealPart.BROWSER.inUse();
    Path chromium =
        Path.of(
            Objects.requireNonNullElse(
                System.getenv("KEYWELL_TEST_CHROMIUM"), "/usr/bin/chromium"));
    check(
        Files.isExecutable(chromium),
        "tests of pages need Chromium; KEYWELL_TEST_CHROMIUM is its path, not " + chromium);
    Path file = Files.writeString(folder.resolve("page.html"), page);
    Path shown = folder.resolve("shown.html");
    Path log = folder.resolve("browser.log");
    Process browser =
        new ProcessBuilder(
                chromium.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + folder.resolve("profile"),
                "--enable-logging=stderr",
                "--virtual-time-budget=3000",
                "--dump-dom",
                file.toUri().toString())
            .redirectOutput(shown.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      check(
          browser.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS),
          "Chromium has not ended after " + LIMIT_SECONDS + " s");
    } finally {
      browser.destroyForcibly();
    }
    List<String> said =
        Files.readAllLines(log).stream().filter(line -> line.contains(":CONSOLE")).toList();
    check(said.isEmpty(), "the page's console says " + said);
    return UNSEEN.matcher(Files.readString(shown)).replaceAll("");
  }

  /** Returns the texts of all cells of all tables, in order. */
  public static List<String> cells(String shown) {
    List<String> cells = new ArrayList<>();
    Matcher cell = CELL.matcher(shown);
    while (cell.find()) {
      cells.add(cell.group(2));
    }
    return cells;
  }

  private static void check(boolean right, String problem) {
    if (!right) {
      throw new AssertionError(problem);
    }
  }
}
