package org.keywell.kmip.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A file of rows beside this class: columns separated by tabs, comments after {@code #}. */
final class TableFile {

  private TableFile() {}

  /**
   * Returns the rows.
   *
   * @throws IllegalStateException if the file is missing, or a row has another number of columns
   */
  static List<String[]> rows(String file, int columns) {
    try (InputStream in = TableFile.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("missing: " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> row(file, line, columns))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String[] row(String file, String line, int columns) {
    String[] row = line.split("\t", -1);
    if (row.length != columns) {
      throw new IllegalStateException(file + " has a row of other columns: " + line);
    }
    return row;
  }
}
