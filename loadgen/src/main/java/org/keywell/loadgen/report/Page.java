package org.keywell.loadgen.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.keywell.loadgen.plot.Markup;

/** The frame of a page that needs nothing but itself: no address in it leads anywhere. */
public final class Page {
  private static final String STYLE = "style.css";

  private Page() {}

  /** A page with that title (text) and body (HTML). */
  public static String of(String title, String body) {
    return """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>%s</title>
    <style>
    %s</style></head><body>
    %s</body></html>
    """
        .formatted(Markup.escape(title), style(), body);
  }

  /** A heading, words on what there is to see, the words for its colours, and the plot. */
  public static String figure(
      String heading, String words, String legend, String svg, String table) {
    return """
    <section><h2>%s</h2><p class="sub">%s</p>
    %s
    <div class="plot">%s</div>%s</section>
    """
        .formatted(Markup.escape(heading), Markup.escape(words), legend, svg, table);
  }

  /** Words for colours: pairs of a style's name and what it stands for. */
  public static String legend(boolean blocks, String... stylesAndWords) {
    StringBuilder html = new StringBuilder("<ul class=\"legend\">");
    for (int i = 0; i < stylesAndWords.length; i += 2) {
      html.append("<li class=\"k-")
          .append(stylesAndWords[i])
          .append(blocks ? " block" : "")
          .append("\"><i></i>")
          .append(Markup.escape(stylesAndWords[i + 1]))
          .append("</li>");
    }
    return html.append("</ul>").toString();
  }

  /** HTML that shows when its summary is opened. */
  public static String folded(String summary, String html) {
    return "<details><summary>" + Markup.escape(summary) + "</summary>" + html + "</details>\n";
  }

  private static String style() {
    try (InputStream in = Page.class.getResourceAsStream(STYLE)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its resource " + STYLE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
