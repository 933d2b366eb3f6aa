package org.keywell.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.loadgen.service.ServiceProgram;

/** A small program stands for the service, and files for its database. */
@Tag("process")
@Timeout(60)
final class PreparedPoolTest {
  private static final PrintWriter NOBODY = new PrintWriter(Writer.nullWriter());
  private static final Stock STOCK = new Stock(20, 300);

  /** Appends a line for each kind to the database; ends as the last argument says. */
  private static final String FILL =
      """
      umask 077
      mkdir -p "$KEYWELL_HOME/postgres/base"
      echo "$3 $4 $5 ${KEYWELL_DATABASE_URL:-own}" >>"$KEYWELL_HOME/postgres/base/1"
      echo secret >"$KEYWELL_HOME/postgres.password"
      exit ${FILL_ENDS_WITH:-0}
      """;

  @TempDir private Path home = Path.of("");

  private PreparedPool open(Map<String, String> more) throws IOException {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("KEYWELL_HOME", home.toString());
    environment.putAll(more);
    return PreparedPool.open(
        new ServiceProgram(
            List.of("/bin/sh", "-c", FILL, "keywell", "the-jar"),
            environment,
            home.resolve("logs"),
            Redirect.DISCARD),
        NOBODY);
  }

  private PreparedPool open() throws IOException {
    return open(Map.of());
  }

  private List<String> filled() throws IOException {
    return Files.readAllLines(home.resolve("bench-pool/kept/postgres/base/1"));
  }

  @Test
  void itIsFilledOnceAndKept() throws Exception {
    for (int run = 0; run < 2; run++) {
      try (PreparedPool pool = open()) {
        pool.fill(STOCK);
      }
    }
    assertThat(filled())
        .containsExactly("20 --key-spec RSA-2048 own", "300 --key-spec EC-P256 own");
  }

  @Test
  void moreKeysThanThereAreAreMade() throws Exception {
    try (PreparedPool pool = open()) {
      pool.fill(STOCK);
      pool.fill(new Stock(19, 299));
      assertThat(filled()).hasSize(2);

      pool.fill(new Stock(21, 300));
    }
    assertThat(filled()).hasSize(4).contains("21 --key-spec RSA-2048 own");
  }

  @Test
  void aFillThatWasInterruptedIsGoneOnWith() throws Exception {
    try (PreparedPool pool = open(Map.of("FILL_ENDS_WITH", "1"))) {
      assertThatThrownBy(() -> pool.fill(STOCK)).isInstanceOf(IOException.class);
    }
    try (PreparedPool pool = open()) {
      pool.fill(STOCK);
    }
    assertThat(filled()).hasSize(3);
  }

  @Test
  void whateverAServiceDidToItsCopyTheNextFindsTheSamePool() throws Exception {
    try (PreparedPool pool = open()) {
      pool.fill(STOCK);
      Path database = pool.copy("burst").resolve("postgres");
      Files.writeString(database.resolve("base/1"), "all keys are spent");
      Files.writeString(database.resolve("more"), "what it wrote");

      Path again = pool.copy("burst").resolve("postgres");

      assertThat(Files.readAllLines(again.resolve("base/1"))).isEqualTo(filled()).hasSize(2);
      assertThat(again.resolve("more")).doesNotExist();
      assertThat(again.resolveSibling("postgres.password")).hasContent("secret");
      assertThat(pool.copy("other").resolve("postgres/base/1")).exists();
    }
  }

  @Test
  void copiesAreForTheirOwnerAloneAndGoInTheEnd() throws Exception {
    try (PreparedPool pool = open()) {
      pool.fill(STOCK);
      Path copy = pool.copy("burst");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
          .isEqualTo("rwx------");
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(copy.resolve("postgres/base"))))
          .isEqualTo("rwx------");
    }
    assertThat(home.resolve("bench-pool/copies")).doesNotExist();
    assertThat(home.resolve("bench-pool/kept/postgres")).exists();
  }

  @Test
  void twoBenchmarksDoNotShareIt() throws Exception {
    try (PreparedPool _ = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(IOException.class)
          .hasMessage("another benchmark uses " + home.resolve("bench-pool"));
    }
    open().close();
  }

  @Test
  void itsDatabaseIsItsOwnWhateverTheServiceIsToUse() throws Exception {
    try (PreparedPool pool = open(Map.of("KEYWELL_DATABASE_URL", "jdbc:postgresql://db/keywell"))) {
      pool.fill(STOCK);
    }
    assertThat(filled()).allMatch(line -> line.endsWith(" own"));
  }
}
