package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table whose lines begin with their names.
 *
 * @param heads empty if there are none
 * @param plot drawn above it; null if there is none
 */
public record Table(String name, List<String> heads, List<List<String>> lines, @Nullable Plot plot)
    implements Part {

  public Table(String name, List<String> heads, List<List<String>> lines) {
    this(name, heads, lines, null);
  }

  /** Returns the table in Markdown, padded to be readable as it is; empty without lines. */
  public String markdown() {
    if (lines.isEmpty()) {
      return "";
    }
    List<List<String>> all = new ArrayList<>(List.of(heads));
    all.addAll(lines);
    int[] widths =
        IntStream.range(0, heads.size())
            .map(i -> all.stream().mapToInt(line -> line.get(i).length()).max().orElse(0))
            .toArray();
    all.add(1, IntStream.of(widths).mapToObj("-"::repeat).toList());
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < all.size(); row++) {
      char room = row == 1 ? '-' : ' ';
      for (int i = 0; i < widths.length; i++) {
        String cell = all.get(row).get(i).replace("|", "\\|");
        String padding = " ".repeat(Math.max(0, widths[i] - cell.length()));
        text.append('|').append(room).append(cell).append(padding).append(room);
      }
      text.append('|').append(System.lineSeparator());
    }
    return text.append(System.lineSeparator()).toString();
  }
}
