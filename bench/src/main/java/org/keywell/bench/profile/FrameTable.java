package org.keywell.bench.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.keywell.loadgen.text.Resource;

/**
 * Maps frames to areas. Each line has an area and a prefix of its frames; the longest matching
 * prefix decides. A line that starts with {@code #} is a comment.
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

  /** Returns the table of Keywell's service. */
  public static FrameTable ofService() {
    return of(Resource.text(RESOURCE));
  }

  /**
   * Parses a table.
   *
   * @throws IllegalStateException if a line has no prefix, or two have the same
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
   * Returns the area of a frame, if the table names it.
   *
   * @param frame a method with its class; a function; {@code [thread}; or the path of a library
   *     that does not reveal its functions' names
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
