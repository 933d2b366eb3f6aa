package org.keywell.signing.record.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.record.Erasure;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.DirectoryTiles;
import org.keywell.tlog.LogReader;
import org.keywell.tlog.SignedNote;

@Tag("postgresql")
@Timeout(60)
final class ArchiveTest {

  private static final YearMonth JANUARY = YearMonth.of(2025, 1);
  private static final YearMonth FEBRUARY = YearMonth.of(2025, 2);
  private static final YearMonth MARCH = YearMonth.of(2025, 3);
  private static final Instant NOW = Instant.parse("2025-08-01T00:00:00Z");

  @TempDir Path directory;

  private final PostgresForTests.Database database = PostgresForTests.newDatabase();
  private final HikariDataSource administrator = database.dataSource();
  private final HikariDataSource owner = database.asOwner().dataSource();
  private final Sql sql = new Sql(administrator);
  private final LoggedRecords records = new LoggedRecords(sql);
  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void fill() throws SQLException {
    assertThat(
            new Sql(owner)
                .text(
                    "SELECT add_sign_request_month('2025-01-01') AND add_sign_request_month('2025-02-01')"))
        .isEqualTo("t");
    for (int i = 0; i < 20; i++) {
      records.signed(JANUARY, i);
    }
    for (int i = 20; i < 25; i++) {
      records.signed(FEBRUARY, i);
    }
    records.signed(MARCH, 25);
    records.sign();
  }

  @AfterEach
  void close() {
    owner.close();
    administrator.close();
  }

  private int archive(YearMonth before) throws InterruptedException {
    return new Archive(owner, directory, new Progress(told::add, System::nanoTime))
        .run(before, NOW);
  }

  private List<String> lines(YearMonth month) throws IOException {
    Path file = directory.resolve(month + "/requests.jsonl.gz");
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), UTF_8))) {
      return reader.lines().toList();
    }
  }

  private void assertNothingIsMoved() throws SQLException {
    assertThat(sql.count("SELECT count(*) FROM sign_request")).isEqualTo(26);
    assertThat(sql.count("SELECT count(*) FROM known_request")).isEqualTo(26);
    assertThat(sql.count("SELECT count(*) FROM record_correction")).isZero();
  }

  @Test
  void movesMonthsIntoFilesThatTheLogConfirms() throws Exception {
    sql.update(
        "INSERT INTO late_destruction SELECT request_id, 0, now() FROM sign_request"
            + " WHERE key_id IN (3, 25)");

    assertThat(archive(MARCH)).isEqualTo(2);

    assertThat(lines(JANUARY)).hasSize(20).first().asString().contains("\"log_index\": 0");
    assertThat(lines(JANUARY)).filteredOn(line -> line.contains("late_return_value")).hasSize(1);
    assertThat(lines(FEBRUARY)).hasSize(5);
    assertThat(told).contains("2025-01: archived and removed, 20 records");
    SignedNote note = SignedNote.parse(Files.readAllBytes(directory.resolve("2025-01/checkpoint")));
    List<String> entries = new ArrayList<>();
    new LogReader(
            new DirectoryTiles(directory.resolve("log")),
            (_, entry) -> entries.add(new String(entry, UTF_8)))
        .read(Checkpoint.parse(note.text()), List.of());
    assertThat(entries).hasSize(26);

    assertThat(sql.texts("SELECT key_id FROM sign_request")).containsExactly("25");
    assertThat(sql.count("SELECT count(*) FROM known_request")).isEqualTo(1);
    assertThat(sql.count("SELECT count(*) FROM late_destruction")).isEqualTo(1);
    assertThat(sql.count("SELECT count(*) FROM used_key")).as("lasts").isEqualTo(26);
    assertThat(sql.count("SELECT sum(records) FROM record_correction")).isEqualTo(25);
    assertThat(sql.text("SELECT to_regclass('sign_request_2025_01') IS NULL")).isEqualTo("t");
    String sums = Files.readString(directory.resolve("2025-01/SHA256SUMS"));
    assertThat(sql.texts("SELECT convert_from(entry, 'UTF8') FROM log_pending ORDER BY seq"))
        .hasSize(2)
        .first()
        .asString()
        .contains("\"month\":\"2025-01\",\"records\":20", sums.substring(0, 64));
  }

  @Test
  void recordsWithoutAPartitionAreArchivedToo() throws Exception {
    assertThat(archive(MARCH.plusMonths(1))).isEqualTo(3);

    assertThat(lines(MARCH)).hasSize(1);
    assertThat(sql.count("SELECT count(*) FROM sign_request")).isZero();
    assertThat(sql.count("SELECT count(*) FROM known_request")).isZero();
  }

  @Test
  void aMonthWithARequestThatHasNotEndedStays() throws Exception {
    sql.update(
        "UPDATE sign_request SET status = 'received', request_finished = NULL WHERE key_id = 7");

    assertThatExceptionOfType(ArchiveFailedException.class)
        .isThrownBy(() -> archive(MARCH))
        .withMessage("2025-01 has 1 requests that have not ended");
    assertNothingIsMoved();
  }

  @Test
  void aRecordThatTheLogContradictsStays() throws Exception {
    sql.update("UPDATE sign_request SET certificate = 'another' WHERE key_id = 7");

    assertThatExceptionOfType(ArchiveFailedException.class)
        .isThrownBy(() -> archive(MARCH))
        .withMessageContaining("the log does not say of request " + LoggedRecords.id(7));
    assertNothingIsMoved();
  }

  @Test
  void aRecordThatTheLogLacksStays() throws Exception {
    sql.update("UPDATE log_entry SET request_id = NULL WHERE index = 7");

    assertThatExceptionOfType(ArchiveFailedException.class)
        .isThrownBy(() -> archive(MARCH))
        .withMessageContaining("the log does not say of request " + LoggedRecords.id(7));
    assertNothingIsMoved();
  }

  @Test
  void nothingIsMovedIfTheLogIsNotSound() throws Exception {
    sql.update("UPDATE log_entry SET entry = 'changed' WHERE index = 25");

    assertThatExceptionOfType(ArchiveFailedException.class)
        .isThrownBy(() -> archive(MARCH))
        .withMessageContaining("entry 25");
    assertNothingIsMoved();
  }

  @Test
  void idsStayKnownForRepetitions() throws Exception {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> archive(YearMonth.of(2025, 8)))
        .withMessageContaining("2025-07 ended less than 30 days ago");
    assertNothingIsMoved();
  }

  @Test
  void theNextRunGoesOnWithAMonthThatWasWrittenAndNotRemoved() throws Exception {
    Files.createDirectories(directory.resolve("2025-01.partial"));
    Files.writeString(directory.resolve("2025-01.partial/requests.jsonl.gz"), "half");
    sql.update("ALTER TABLE record_correction ADD CHECK (false)");
    assertThatExceptionOfType(ArchiveFailedException.class).isThrownBy(() -> archive(FEBRUARY));
    assertNothingIsMoved();
    assertThat(lines(JANUARY)).hasSize(20);

    sql.update("ALTER TABLE record_correction DROP CONSTRAINT record_correction_check");
    assertThat(archive(FEBRUARY)).isEqualTo(1);
    assertThat(lines(JANUARY)).hasSize(20);
    assertThat(sql.count("SELECT count(*) FROM sign_request")).isEqualTo(6);
  }

  @Test
  void filesOfAnotherContentAreNotReplaced() throws Exception {
    Files.createDirectories(directory.resolve("2025-01"));
    Files.writeString(directory.resolve("2025-01/SHA256SUMS"), "another");

    assertThatExceptionOfType(ArchiveFailedException.class)
        .isThrownBy(() -> archive(FEBRUARY))
        .withMessageContaining("is there already, with other content");
    assertNothingIsMoved();
  }

  @Test
  void anErasedRecordIsArchivedWithoutItsSigner() throws Exception {
    assertThat(new Erasure(owner).erase(LoggedRecords.id(7))).isEqualTo(Erasure.Result.ERASED);
    assertThat(archive(FEBRUARY)).isEqualTo(1);

    assertThat(lines(JANUARY))
        .filteredOn(line -> line.contains(LoggedRecords.id(7).toString()))
        .singleElement()
        .asString()
        .contains("\"erased\"", "\"log_index\": 7")
        .doesNotContain("signer_reference", "\"certificate\":");
    assertThat(new Erasure(owner).erase(LoggedRecords.id(8))).isEqualTo(Erasure.Result.UNKNOWN);
  }

  @Test
  void theServicesRoleCannotArchive() throws Exception {
    try (HikariDataSource service = database.asService().dataSource()) {
      assertThatExceptionOfType(ArchiveFailedException.class)
          .isThrownBy(() ->
              new Archive(service, directory, new Progress(told::add, System::nanoTime))
                  .run(FEBRUARY, NOW));
    }
    assertNothingIsMoved();
  }
}
