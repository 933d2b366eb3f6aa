package org.keywell.bench.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.keywell.loadgen.text.Resource;

/**
 * Which frames belong to which area: lines of an area and how its frames begin, where the longest
 * beginning decides. What follows a {@code #} at a line's start is a remark.
 */
public final class FrameTable {
  private static final String RESOURCE = "/org/keywell/bench/profile/areas.txt";
  private static final char LIBRARY = '/';

  private record Row(String beginning, Area area) {}

  private final List<Row> longestFirst;

  private FrameTable(List<Row> rows) {
    longestFirst =
        rows.stream()
            .sorted(Comparator.comparingInt((Row row) -> row.beginning().length()).reversed())
            .toList();
  }

  /** The one of Keywell's service. */
  public static FrameTable ofService() {
    return of(Resource.text(RESOURCE));
  }

  /**
   * A table.
   *
   * @throws IllegalStateException if a line is no row, or two begin alike
   */
  static FrameTable of(String text) {
    List<Row> rows = new ArrayList<>();
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split("\\s+", 2);
      if (cells.length < 2 || rows.stream().anyMatch(row -> row.beginning().equals(cells[1]))) {
        throw new IllegalStateException("the table of frames cannot have the line '" + line + "'");
      }
      rows.add(new Row(cells[1], Area.valueOf(cells[0].toUpperCase(Locale.ROOT))));
    }
    return new FrameTable(rows);
  }

  /**
   * The area of a frame, if the table names it.
   *
   * @param frame a method with its class; a function; {@code [thread}; or a library, by its path,
   *     where it does not tell its functions' names
   */
  Optional<Area> areaOf(String frame) {
    String name =
        frame.charAt(0) == LIBRARY ? frame.substring(frame.lastIndexOf(LIBRARY) + 1) : frame;
    for (Row row : longestFirst) {
      if (name.startsWith(row.beginning())) {
        return Optional.of(row.area());
      }
    }
    return Optional.empty();
  }
}
