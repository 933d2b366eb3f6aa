package org.keywell.acceptance.tamper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The table "Who finds what" in docs/LOG.md. */
final class FinderTable {

  /**
   * Who finds a tampering.
   *
   * @param verify {@code log verify}
   * @param against {@code log verify --against} an export
   * @param proof a kept proof of an entry that was altered
   * @param otherProof a kept proof of another entry
   * @param running an instance that runs meanwhile
   * @param nextStart an instance that starts later
   */
  record Row(
      boolean verify,
      boolean against,
      boolean proof,
      boolean otherProof,
      boolean running,
      boolean nextStart) {}

  private static final Path PAGE = Path.of("../docs/LOG.md");

  private FinderTable() {}

  static Row row(Tampering tampering) throws IOException {
    List<String> cells =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| " + tampering.title() + " |"))
            .map(line -> Arrays.stream(line.split("\\|")).skip(2).map(String::strip).toList())
            .findFirst()
            .orElseThrow(() -> new AssertionError("docs/LOG.md has no row: " + tampering.title()));
    return new Row(
        finds(cells.get(0)),
        finds(cells.get(1)),
        finds(cells.get(2)),
        finds(cells.get(3)),
        finds(cells.get(4)),
        finds(cells.get(5)));
  }

  private static boolean finds(String cell) {
    return switch (cell) {
      case "finds" -> true;
      case "–" -> false;
      default -> throw new AssertionError("docs/LOG.md, a cell: " + cell);
    };
  }
}
