package org.keywell.tlog;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names a tile, or a bundle of entries (C2SP tlog-tiles).
 *
 * @param level of a tile, from 0 to {@link #MAX_LEVEL}; null: a bundle of entries
 * @param index within the level
 * @param width hashes or entries, from 1 to {@link #FULL}
 */
public record TileId(@Nullable Integer level, long index, int width) {

  /** Hashes of a full tile, or entries of a full bundle. */
  public static final int FULL = 256;

  public static final int MAX_LEVEL = 63;

  private static final int GROUP = 1_000;
  private static final String ENTRIES = "entries";
  private static final Pattern PATH =
      Pattern.compile("tile/(entries|[0-9]{1,2})/((?:x[0-9]{3}/)*[0-9]{3})(?:\\.p/([0-9]{1,3}))?");

  public TileId {
    if (level != null && (level < 0 || level > MAX_LEVEL)) {
      throw new LogFormatException("a tile's level: " + level);
    }
    if (index < 0 || width < 1 || width > FULL) {
      throw new LogFormatException("a tile's index " + index + " or width " + width);
    }
  }

  public static TileId ofHashes(int level, long index, int width) {
    return new TileId(level, index, width);
  }

  public static TileId ofEntries(long index, int width) {
    return new TileId(null, index, width);
  }

  /** Returns the same tile at its full width. */
  public TileId full() {
    return new TileId(level, index, FULL);
  }

  public boolean isFull() {
    return width == FULL;
  }

  /** Returns its path below the log's prefix, without a slash at its start. */
  public String path() {
    StringBuilder groups = new StringBuilder(group(index));
    for (long rest = index / GROUP; rest > 0; rest /= GROUP) {
      groups.insert(0, "x" + group(rest) + "/");
    }
    return "tile/%s/%s%s"
        .formatted(level == null ? ENTRIES : level, groups, isFull() ? "" : ".p/" + width);
  }

  private static String group(long number) {
    return String.format(Locale.ROOT, "%03d", number % GROUP);
  }

  /**
   * Reads a path.
   *
   * @throws LogFormatException unless it is the {@link #path} of a tile
   */
  public static TileId parse(String path) {
    Matcher matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      throw new LogFormatException("no tile's path: " + path);
    }
    String level = matcher.group(1);
    String width = matcher.group(3);
    TileId tile =
        new TileId(
            ENTRIES.equals(level) ? null : Integer.valueOf(level),
            Lines.number(digits(matcher.group(2)), "tile index"),
            width == null ? FULL : Integer.parseInt(width));
    if (!tile.path().equals(path)) {
      throw new LogFormatException("no tile's path: " + path);
    }
    return tile;
  }

  private static String digits(String groups) {
    String digits = groups.replace("x", "").replace("/", "");
    int first = 0;
    while (first < digits.length() - 1 && digits.charAt(first) == '0') {
      first++;
    }
    return digits.substring(first);
  }
}
