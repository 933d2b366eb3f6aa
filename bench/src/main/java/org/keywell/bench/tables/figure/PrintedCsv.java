package org.keywell.bench.tables.figure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The program's copy of a printed table: a line of column names, then one line per row. */
final class PrintedCsv {

  /** A row's cells by column name. */
  record Line(Map<String, String> cells) {

    String text(String column) {
      String cell = cells.get(column);
      if (cell == null) {
        throw new IllegalStateException("a table of the thesis lacks its column " + column);
      }
      return cell;
    }

    double number(String column) {
      return Double.parseDouble(text(column));
    }

    int count(String column) {
      return Integer.parseInt(text(column));
    }
  }

  private PrintedCsv() {}

  static List<Line> read(String resource) {
    try (InputStream in = PrintedCsv.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its resource " + resource);
      }
      List<String> lines =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readAllLines();
      String[] columns = lines.getFirst().split(",", -1);
      return lines.stream().skip(1).map(line -> line(columns, line.split(",", -1))).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Line line(String[] columns, String[] cells) {
    Map<String, String> named = new HashMap<>();
    for (int i = 0; i < columns.length; i++) {
      named.put(columns[i], cells[i]);
    }
    return new Line(named);
  }
}
