package org.keywell.loadgen.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;

/** What a section of a report shows. */
public sealed interface Part permits Table, Part.Figure, Part.Texts {

  /** Returns the name under which the page's script knows it. */
  @JsonProperty("kind")
  default String kind() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /**
   * A plot below its own heading.
   *
   * @param facts pairs of a caption and a figure, for those who cannot see it as well
   */
  record Figure(String heading, String about, List<List<String>> facts, Plot plot)
      implements Part {}

  /** A list of texts. */
  record Texts(List<String> texts) implements Part {}
}
