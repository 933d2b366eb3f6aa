package org.keywell.loadgen.report;

import java.util.List;
import org.keywell.loadgen.plot.Markup;

/** An HTML table, grown row by row. The first cell of each row names it. */
public final class Table {
  private final StringBuilder html;

  /** A table whose columns have these names. */
  public Table(String caption, List<String> columns) {
    html = new StringBuilder("<div class=\"scroll\"><table>");
    if (!caption.isEmpty()) {
      html.append("<caption class=\"soft\">").append(Markup.escape(caption)).append("</caption>");
    }
    html.append("<thead><tr>");
    columns.forEach(c -> cell("th scope=\"col\"", "th", c));
    html.append("</tr></thead><tbody>\n");
  }

  /** A table of names and texts. */
  private Table() {
    html = new StringBuilder("<div class=\"scroll\"><table class=\"facts\"><tbody>\n");
  }

  /** A table of names and texts, without a head. */
  public static Table ofFacts() {
    return new Table();
  }

  /** Adds a row. */
  public Table row(List<String> cells) {
    html.append("<tr>");
    cells.forEach(c -> cell("td", "td", c));
    html.append("</tr>\n");
    return this;
  }

  /** Adds a name and a text. */
  public Table fact(String name, String text) {
    html.append("<tr>");
    cell("th scope=\"row\"", "th", name);
    cell("td", "td", text);
    html.append("</tr>\n");
    return this;
  }

  private void cell(String open, String close, String text) {
    html.append('<').append(open).append('>').append(Markup.escape(text));
    html.append("</").append(close).append('>');
  }

  /** The table so far. */
  public String html() {
    return html + "</tbody></table></div>\n";
  }
}
