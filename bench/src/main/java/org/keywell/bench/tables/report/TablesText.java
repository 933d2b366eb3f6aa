package org.keywell.bench.tables.report;

import java.util.List;
import java.util.Locale;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.bench.tables.figure.MeasuredTable;

/** A run as text for a terminal. */
public final class TablesText {
  private static final String GAP = "  ";

  private TablesText() {}

  /** Returns all tables, and what became of the keys. */
  public static String of(TablesDocument run) {
    StringBuilder text = new StringBuilder();
    for (MeasuredTable table : run.tables()) {
      text.append("\nTable ").append(table.id()).append("  ").append(table.title()).append('\n');
      appendTable(text, Cells.heads(table), Cells.lines(table));
      String devices = Cells.devices(table);
      if (!devices.isEmpty()) {
        text.append('(').append(devices).append(")\n");
      }
    }
    text.append('\n');
    if (run.simulatedProfile() != null) {
      text.append("Simulated times are those of the profile ")
          .append(run.simulatedProfile())
          .append(", not of this HSM.\n");
    }
    return text.append(keys(run.keys())).append('\n').toString();
  }

  /** Says what became of the keys, in a sentence. */
  static String keys(KeyBalance keys) {
    String made =
        String.format(
            Locale.ROOT,
            "%,d private keys came to be in the HSM and %,d were destroyed",
            keys.made(),
            keys.destroyed());
    return keys.clean()
        ? made + "; none of them is left in the HSM or in the database."
        : made
            + String.format(
                Locale.ROOT,
                "; LEFT are %,d in the HSM by its own count, and %,d in the database.",
                keys.left(),
                keys.storedAfter());
  }

  private static void appendTable(
      StringBuilder text, List<String> heads, List<List<String>> lines) {
    int[] widths = new int[heads.size()];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      widths[i] =
          Math.max(
              heads.get(i).length(),
              lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0));
    }
    appendLine(text, heads, widths);
    lines.forEach(line -> appendLine(text, line, widths));
  }

  private static void appendLine(StringBuilder text, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      String room = " ".repeat(widths[i] - cell.length());
      boolean words = i < 2;
      line.append(words ? cell + room : room + cell).append(GAP);
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }
}
