package org.keywell.bench.tables.report;

import java.util.List;
import org.keywell.bench.tables.figure.MeasuredTable;

/** Puts into words what tables say. */
public final class TablesWords {

  private TablesWords() {}

  /** The tables of a run, each with its sentence and its notes. */
  public static List<TablesDocument.Entry> entries(List<MeasuredTable> tables) {
    Sentences sentences = new Sentences(tables);
    return tables.stream()
        .map(table ->
            new TablesDocument.Entry(
                table.id(), table.id().title(), sentences.on(table), Notes.on(table), table.rows()))
        .toList();
  }
}
