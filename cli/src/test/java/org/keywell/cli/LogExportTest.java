package org.keywell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.cli.log.TestLog;
import org.keywell.tlog.TileId;

class LogExportTest {
  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private TestLog log;
  private LogServer server;
  private Path copy;

  @BeforeEach
  void start() throws Exception {
    log = TestLog.in(dir.resolve("log"), "EC").growTo(700);
    server = new LogServer(log.directory());
    copy = dir.resolve("copy");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... args) {
    return KeywellCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private int export() {
    return run("log", "export", copy.toString(), server.url());
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void writesWhatTheLogHas() throws Exception {
    assertThat(export()).as(err.toString()).isZero();

    assertThat(files(copy)).isEqualTo(files(log.directory()));
    for (String file : files(copy)) {
      assertThat(copy.resolve(file)).hasSameBinaryContentAs(log.directory().resolve(file));
    }
    assertThat(run("log", "verify", copy.toString(), "--against", server.url())).isZero();
  }

  @Test
  void aCopyIsNoMoreReadableThanAPrivateLog() throws Exception {
    Set<PosixFilePermission> ownerOnly = PosixFilePermissions.fromString("rw-------");
    for (String file : files(log.directory())) {
      Files.setPosixFilePermissions(log.directory().resolve(file), ownerOnly);
    }

    assertThat(run("log", "export", copy.toString(), log.directory().toString()))
        .as(err.toString())
        .isZero();

    for (String file : files(copy)) {
      assertThat(Files.getPosixFilePermissions(copy.resolve(file))).as(file).isEqualTo(ownerOnly);
    }
  }

  @Test
  void fetchesOnlyWhatIsNew() throws Exception {
    assertThat(export()).isZero();
    log.growTo(1_000);
    server.forget();

    assertThat(export()).as(err.toString()).isZero();

    assertThat(server.paths())
        .contains("tile/entries/002", "tile/0/003.p/232")
        .doesNotContain("tile/entries/000", "tile/entries/001", "tile/0/000", "tile/0/001");
    assertThat(run("log", "verify", copy.toString())).isZero();
  }

  /** What was verified before the damage stays, so that the next try goes on from there. */
  @Test
  void stopsAtDamageAndIsResumedAfterRepair() throws Exception {
    log.spoil(TileId.ofEntries(1, 256), 50);

    assertThat(export()).isEqualTo(1);
    assertThat(out.toString())
        .contains("tile/entries/001 does not have the hashes in tile/0/001: entry ");
    assertThat(files(copy)).contains("tile/entries/000").doesNotContain("tile/entries/001");
    assertThat(copy.resolve("checkpoint")).doesNotExist();

    log.spoil(TileId.ofEntries(1, 256), 50);
    server.forget();
    assertThat(export()).as(err.toString()).isZero();
    assertThat(server.paths()).doesNotContain("tile/entries/000").contains("tile/entries/001");
  }

  @Test
  void aDamagedFileOfAnEarlierExportIsFound() throws Exception {
    assertThat(export()).isZero();
    Path bundle = copy.resolve(TileId.ofEntries(0, 256).path());
    byte[] content = Files.readAllBytes(bundle);
    content[9] ^= 1;
    Files.write(bundle, content);

    assertThat(export()).isEqualTo(1);

    assertThat(out.toString()).contains("tile/entries/000 does not have the hashes");
  }

  @Test
  void anotherHistoryNeverReplacesAnExport() throws Exception {
    assertThat(export()).isZero();
    TestLog forged = log.elsewhere(dir.resolve("forged")).growTo(100);
    forged.append(List.of(TestLog.entry(9_999))).growTo(900);
    TestLog shorter = log.elsewhere(dir.resolve("shorter")).growTo(600);

    for (TestLog other : List.of(forged, shorter)) {
      assertThat(run("log", "export", copy.toString(), other.directory().toString())).isEqualTo(1);
      assertThat(err.toString()).contains("has an export of 700 entries, which the log of");
    }
    assertThat(copy.resolve("checkpoint"))
        .hasSameBinaryContentAs(log.directory().resolve("checkpoint"));
  }
}
