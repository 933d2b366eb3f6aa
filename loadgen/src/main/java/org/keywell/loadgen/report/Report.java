package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run comes to. A page draws all of it.
 *
 * @param about when it ran, and how
 * @param notices what a reader must know before believing a figure
 * @param verdict in one sentence; null if there is none
 * @param tiles pairs of a figure to be seen at once and its caption
 * @param facts pairs of a name and a text, of the machine and the program
 */
public record Report(
    String about,
    List<Notice> notices,
    @Nullable Notice verdict,
    List<List<String>> tiles,
    List<Section> sections,
    List<List<String>> facts) {

  /**
   * A sentence.
   *
   * @param wrong whether it reports a failure
   */
  public record Notice(String text, boolean wrong) {}

  /**
   * Parts below a heading. The page's template may explain them, in an element with the section's
   * id.
   *
   * @param failure why there are none; null if there are
   * @param about further text; empty if there is none
   */
  public record Section(
      String id,
      String heading,
      @Nullable String failure,
      List<? extends Part> parts,
      String about) {

    public Section(String id, String heading, Part... parts) {
      this(id, heading, null, List.of(parts), "");
    }

    /** Returns the tables among the parts. */
    public List<Table> tables() {
      return parts.stream().filter(Table.class::isInstance).map(Table.class::cast).toList();
    }
  }

  /**
   * Returns the page.
   *
   * @param template see {@link StaticPage}; its scripts include {@code report.js}
   */
  public String page(String template, String title) {
    return StaticPage.of(template, title, JsonMapper.shared().writeValueAsString(this));
  }

  /** Adds what every run says of the machine and the program. */
  public static List<List<String>> facts(List<List<String>> own, RunEnvironment here) {
    List<List<String>> facts = new ArrayList<>(own);
    String changed = Boolean.TRUE.equals(here.gitDirty()) ? ", with changes" : "";
    String revision = here.gitRevision() == null ? "unknown" : here.gitRevision() + changed;
    facts.add(List.of("Processor", "%s, %d cores".formatted(here.cpu(), here.cores())));
    facts.add(List.of("Java", here.jdk()));
    facts.add(List.of("Operating system", here.os()));
    facts.add(List.of("Load average before", "%.2f".formatted(here.loadAverage())));
    facts.add(List.of("Git revision", revision));
    return facts;
  }
}
