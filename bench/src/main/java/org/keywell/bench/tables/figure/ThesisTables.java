package org.keywell.bench.tables.figure;

import java.util.List;
import org.keywell.loadgen.text.Resource;
import tools.jackson.databind.json.JsonMapper;

/** The figures of the thesis's section 2.10 as printed, including its errors. */
public final class ThesisTables {
  private static final List<ThesisRow> ROWS =
      List.of(
          JsonMapper.shared()
              .readValue(
                  Resource.text("/org/keywell/bench/tables/figure/tables.json"),
                  ThesisRow[].class));

  private ThesisTables() {}

  /** Returns the rows of a table, in printed order. */
  public static List<ThesisRow> rows(TableId table) {
    return ROWS.stream().filter(row -> row.table() == table).toList();
  }
}
