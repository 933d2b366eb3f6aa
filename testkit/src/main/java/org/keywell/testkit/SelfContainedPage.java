package org.keywell.testkit;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A single-file page: it fetches nothing and contains its whole document. */
public final class SelfContainedPage {
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"data\">([^<]*)</script>");
  private static final Pattern LIBRARY =
      Pattern.compile("(?s)<script>/\\*!\\s+\\* Chart.js.*?</script>");
  private static final int LIBRARY_IS_LONGER_THAN = 200_000;
  private static final Pattern ID =
      Pattern.compile("(?:find|tell|notices|requirements|tiles|warnings)\\(\"([\\w-]+)\"");
  private static final List<String> HAS =
      List.of("default-src 'none'", "<h1", "<title>Keywell ", "<noscript>");
  private static final List<String> LACKS =
      List.of("http:", "https:", "src=", "href=", "url(", "@import", "{{", "sourceMapp");

  private final String page;

  public SelfContainedPage(String page) {
    this.page = page;
  }

  /** Returns the document that the page draws, as JSON. */
  public String document() {
    Matcher data = DATA.matcher(page);
    check(data.find(), "there is no document in the page");
    return String.valueOf(data.group(1));
  }

  /**
   * Checks that the page needs nothing but itself.
   *
   * @throws AssertionError if it does
   */
  public void needsNothingButItself() {
    String own = LIBRARY.matcher(DATA.matcher(page).replaceAll("")).replaceFirst("");
    HAS.forEach(text -> check(own.contains(text), "the page lacks " + text));
    LACKS.forEach(text -> check(!own.contains(text), "the page has " + text));
    check(own.lastIndexOf("<!doctype html>") == 0, "the page does not begin once");
    check(
        page.length() > own.length() + LIBRARY_IS_LONGER_THAN,
        "the plotting library is not in the page");
  }

  /**
   * Checks that the page has exactly one place for each thing that its scripts show.
   *
   * @throws AssertionError if it lacks one or has one twice
   */
  public void hasAPlaceForWhateverItsScriptsShow() {
    List<String> places =
        ID.matcher(page).results().map(found -> "id=\"" + found.group(1) + '"').toList();
    check(!places.isEmpty(), "the page's scripts show nothing");
    for (String place : places) {
      List<MatchResult> found =
          Pattern.compile(place, Pattern.LITERAL).matcher(page).results().toList();
      check(found.size() == 1, "the page has %d of %s".formatted(found.size(), place));
    }
  }

  private static void check(boolean right, String problem) {
    if (!right) {
      throw new AssertionError(problem);
    }
  }
}
