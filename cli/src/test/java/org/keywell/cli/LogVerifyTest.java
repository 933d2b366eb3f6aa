package org.keywell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.cli.log.TestLog;
import org.keywell.cli.log.TestWitness;
import org.keywell.tlog.TileId;

/** {@code log verify}: each kind of damage is named where it is. */
class LogVerifyTest {
  private static final int SIZE = 700;

  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private TestLog log(String name, long size) throws Exception {
    return TestLog.in(dir.resolve(name), "Ed25519").growTo(size);
  }

  private int run(String... args) {
    return KeywellCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private int verify(TestLog log, String... more) {
    String[] args =
        Stream.concat(
                Stream.of(
                    "log", "verify", log.directory().toString(), "--log-key", log.key().toString()),
                Stream.of(more))
            .toArray(String[]::new);
    return run(args);
  }

  private void finds(TestLog log, String... damages) {
    assertThat(verify(log)).isEqualTo(1);
    assertThat(out.toString().split("Damage\n", -1)[1].lines().map(String::strip))
        .containsExactlyInAnyOrder(damages);
    assertThat(err.toString())
        .contains("keywell: the log is not sound (findings: %d)\n".formatted(damages.length));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 255, 256, 257, 700, 65_536, 66_000})
  void passesWhatIsSound(long size) throws Exception {
    TestLog log = log("log", 0).append(List.of()).growTo(size);

    assertThat(verify(log)).as(err.toString()).isZero();

    assertThat(out.toString())
        .contains("Size       " + size + " entries", "Verified   " + size + " entries")
        .contains(log.checkpoint().root().toString());
  }

  @Test
  void verifiesARunningServiceTrustingItsKeyOnFirstUse() throws Exception {
    TestLog log = TestLog.in(dir, "EC").growTo(SIZE);
    try (LogServer server = new LogServer(dir)) {
      assertThat(run("log", "verify", "--url", server.url())).as(err.toString()).isZero();
      assertThat(out.toString())
          .contains("trusted on first use", log.key().toString())
          .contains("at " + server.url());

      log.spoil(TileId.ofEntries(1, 256), 100);
      assertThat(run("log", "verify", server.url())).isEqualTo(1);
    }
  }

  @Test
  void witnessesThatAreNamedMustHaveCosigned() throws Exception {
    TestLog log = TestLog.in(dir, "EC").growTo(3);
    TestWitness witness = new TestWitness("witness.example/w");
    log.write("witnessed-checkpoint", witness.cosigned(log.signed(log.checkpoint())).bytes());
    log.growTo(5);
    try (LogServer server = new LogServer(dir)) {
      assertThat(run("log", "verify", server.url(), "--witness", witness.key().toString()))
          .as(err.toString())
          .isZero();
      assertThat(out.toString()).contains("Size       3 entries", "Cosigned   by all 1 witnesses");

      String other = new TestWitness("other.example/w").key().toString();
      assertThat(run("log", "verify", server.url(), "--witness", other)).isEqualTo(1);
      assertThat(err.toString()).contains("have not cosigned the checkpoint: other.example/w");
      assertThat(run("log", "verify", server.url(), "--witness", "nonsense")).isEqualTo(2);
    }
  }

  @Test
  void aChangedEntryIsNamed() throws Exception {
    TestLog log = log("log", SIZE);
    log.rewrite(
        1,
        entries -> {
          entries.set(44, TestLog.entry(0));
          return entries;
        });

    finds(log, "tile/entries/001 does not have the hashes in tile/0/001: entry 300");
  }

  @Test
  void aDeletedEntryIsNamed() throws Exception {
    TestLog log = log("log", SIZE);
    log.rewrite(
        1,
        entries -> {
          entries.remove(253);
          return entries;
        });

    finds(
        log,
        "tile/entries/001 has 255 entries instead of 256",
        "tile/entries/001 does not have the hashes in tile/0/001: entry 509, 510");
  }

  @Test
  void anInsertedEntryIsNamed() throws Exception {
    TestLog log = log("log", SIZE);
    log.rewrite(
        2,
        entries -> {
          entries.add(10, TestLog.entry(9_999));
          return entries;
        });

    finds(
        log,
        "tile/entries/002.p/188 has 189 entries instead of 188",
        "tile/entries/002.p/188 does not have the hashes in tile/0/002.p/188: entry 522, 523, 524,"
            + " 525, 526 and 173 more");
  }

  @Test
  void swappedEntriesAreNamed() throws Exception {
    TestLog log = log("log", SIZE);
    log.rewrite(
        0,
        entries -> {
          Collections.swap(entries, 3, 200);
          return entries;
        });

    finds(log, "tile/entries/000 does not have the hashes in tile/0/000: entry 3, 200");
  }

  @Test
  void aCutTailIsNamed() throws Exception {
    TestLog log = log("log", SIZE);
    log.delete(TileId.ofEntries(2, 188));
    log.delete(TileId.ofHashes(0, 2, 188));

    finds(log, "the log has no tile/0/002.p/188", "the log has no tile/entries/002.p/188");
  }

  @Test
  void aBrokenBundleIsNamed() throws Exception {
    TestLog log = log("log", SIZE);
    log.write("tile/entries/001", new byte[] {0, 3, 1});

    finds(log, "tile/entries/001: a bundle ends within entry 0");
  }

  @Test
  void damageInSeveralTilesIsNamedForEach() throws Exception {
    TestLog log = log("log", 66_000);
    log.spoil(TileId.ofHashes(0, 100, 256), 33);
    log.spoil(TileId.ofHashes(1, 0, 256), 32 * 7);
    log.spoil(TileId.ofHashes(2, 0, 1), 5);
    log.delete(TileId.ofHashes(0, 200, 256));
    log.write("tile/0/201", new byte[32]);

    assertThat(verify(log)).isEqualTo(1);

    assertThat(out.toString())
        .contains(
            "  the tiles have the root ",
            "  tile/1/000 does not have its hash in the tile above\n",
            "  tile/0/007 does not have its hash in the tile above\n",
            "  tile/entries/100 does not have the hashes in tile/0/100: entry 25601\n",
            "  tile/0/100 does not have its hash in the tile above\n",
            "  the log has no tile/0/200\n",
            "  tile/0/201 has 32 bytes instead of 8192\n");
    assertThat(err.toString()).contains("(findings: 7)");
  }

  @Test
  void damageEverywhereIsBounded() throws Exception {
    TestLog log = log("log", 66_000);
    for (int bundle = 0; bundle < 200; bundle++) {
      log.spoil(TileId.ofEntries(bundle, 256), 50);
    }

    assertThat(verify(log)).isEqualTo(1);

    assertThat(out.toString()).contains("  and 100 more\n");
    assertThat(err.toString()).contains("(findings: 200)");
  }

  @Test
  void aRewrittenHistoryUnderAnOlderCheckpointIsFound() throws Exception {
    TestLog log = log("log", SIZE);
    TestLog other = log.elsewhere(dir.resolve("other")).append(List.of(TestLog.entry(5)));
    other.growTo(SIZE);
    Files.copy(
        log.directory().resolve("checkpoint"),
        other.directory().resolve("checkpoint"),
        StandardCopyOption.REPLACE_EXISTING);

    assertThat(verify(other)).isEqualTo(1);

    assertThat(out.toString()).contains("the tiles have the root " + other.checkpoint().root());
  }

  @Test
  void aForeignSignatureIsRefused() throws Exception {
    TestLog log = log("log", SIZE);
    TestLog foreign = log("foreign", SIZE);
    Files.copy(
        foreign.directory().resolve("checkpoint"),
        log.directory().resolve("checkpoint"),
        StandardCopyOption.REPLACE_EXISTING);

    assertThat(verify(log)).isEqualTo(1);

    assertThat(err.toString())
        .contains("the checkpoint of keywell.example/log is not signed by " + log.key())
        .hasLineCount(1);
  }

  @Test
  void partOfALogIsVerifiedByFewFiles() throws Exception {
    TestLog log = TestLog.in(dir, "EC").growTo(66_000);
    log.spoil(TileId.ofEntries(0, 256), 50);
    try (LogServer server = new LogServer(dir)) {
      assertThat(run("log", "verify", server.url(), "--from", "1000", "--to", "1030"))
          .as(err.toString())
          .isZero();
      assertThat(server.paths())
          .containsExactlyInAnyOrder(
              "key",
              "checkpoint",
              "tile/0/257.p/208",
              "tile/1/001.p/1",
              "tile/2/000.p/1",
              "tile/entries/003",
              "tile/0/003",
              "tile/entries/004",
              "tile/0/004",
              "tile/1/000");

      assertThat(run("log", "verify", server.url(), "--to", "300")).isEqualTo(1);
      assertThat(run("log", "verify", server.url(), "--from", "66000")).isEqualTo(1);
      assertThat(err.toString()).contains("the log has no entries 66000 to 65999");
    }
  }

  @Test
  void olderAndNewerCopiesHaveTheSameHistory() throws Exception {
    TestLog log = log("log", SIZE);
    TestLog older = log.elsewhere(dir.resolve("older")).growTo(300);
    TestLog newer = log.elsewhere(dir.resolve("newer")).growTo(2_000);

    assertThat(verify(log, "--against", older.directory().toString())).isZero();
    assertThat(verify(log, "--against", newer.directory().toString())).isZero();
    assertThat(verify(log, "--against", log.directory().toString())).isZero();

    assertThat(out.toString())
        .contains(older.directory() + ", 300 entries: the same history")
        .contains(newer.directory() + ", 2000 entries: the same history");
  }

  /** Sound by itself and signed: only another copy shows it. */
  @ParameterizedTest
  @ValueSource(longs = {500, SIZE, 2_000})
  void aReplacedTailIsFoundByAnotherCopyOnly(long size) throws Exception {
    TestLog log = log("log", SIZE);
    TestLog forged = log.elsewhere(dir.resolve("forged")).growTo(400);
    forged.append(List.of(TestLog.entry(9_999))).growTo(size);

    assertThat(verify(forged)).isZero();
    assertThat(verify(forged, "--against", log.directory().toString())).isEqualTo(1);

    assertThat(err.toString())
        .contains(
            "%s and %s have different histories, each signed: they differ from entry 400 on\n"
                .formatted(forged.directory(), log.directory()));
  }

  @Test
  void aCopyWhoseTilesAreNotThoseOfItsCheckpointIsNotTrusted() throws Exception {
    TestLog log = log("log", SIZE);
    TestLog forged = log.elsewhere(dir.resolve("forged")).growTo(400);
    forged.append(List.of(TestLog.entry(9_999))).growTo(SIZE);
    try (Stream<Path> files = Files.walk(log.directory().resolve("tile"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = forged.directory().resolve(log.directory().relativize(file));
        Files.createDirectories(to.getParent());
        Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
      }
    }

    assertThat(verify(log, "--against", forged.directory().toString())).isEqualTo(1);

    assertThat(err.toString()).contains("do not have the root of its checkpoint");
  }

  @Test
  void takesTheKeyFromAFile() throws Exception {
    TestLog log = log("log", SIZE);
    Path file =
        Files.writeString(
            dir.resolve("keys"),
            "# of our log\n\n%s\n%s\n".formatted(log("other", 1).key(), log.key()),
            StandardCharsets.UTF_8);

    assertThat(run("log", "verify", log.directory().toString(), "--log-key", file.toString()))
        .isZero();
    assertThat(out.toString()).doesNotContain("first use");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "log",
        "log no-such-command",
        "log verify --from -1",
        "log verify --from 5 --to 5",
        "log verify --from x",
        "log verify no-such-directory",
        "log verify . --log-key no-such-key",
        "log verify . more",
        "log export",
        "log export pom.xml .",
        "log show",
        "log show 17",
        "sign pom.xml --log-key x"
      })
  void misuseIsOneLineAndExitCodeTwo(String commandLine) {
    assertThat(run(commandLine.split(" "))).isEqualTo(2);

    assertThat(err.toString()).startsWith("keywell: ").hasLineCount(1);
  }

  @Test
  void whatIsNoLogIsSaidInOneLine() throws IOException {
    assertThat(run("log", "verify", dir.toString())).isEqualTo(1);

    assertThat(err.toString())
        .isEqualTo("keywell: %s has no log, or none with a key (--log-key)\n".formatted(dir));
  }
}
