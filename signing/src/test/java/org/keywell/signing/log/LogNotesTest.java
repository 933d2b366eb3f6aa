package org.keywell.signing.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Tag("postgresql")
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
final class LogNotesTest {

  private static final String FILES =
      "SELECT convert_from(entry, 'UTF8')::jsonb ->> 'file' FROM log_pending ORDER BY seq";

  private HikariDataSource dataSource;
  private HikariDataSource superuser;
  private LogTables tables;
  private LogNotes notes;

  @BeforeEach
  void open() {
    PostgresForTests.Database database = PostgresForTests.newDatabase();
    dataSource = database.asService().dataSource();
    superuser = database.dataSource();
    tables = new LogTables(dataSource);
    tables.begin("test.example/log");
    notes = new LogNotes(LogWriter.on(System::nanoTime), "here");
  }

  @AfterEach
  void close() {
    superuser.close();
    dataSource.close();
  }

  private List<String> files() throws Exception {
    return new Sql(superuser).texts(FILES);
  }

  private void note(String file) {
    notes.file("callers", file, file.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void nothingIsToldBeforeTheStart() throws Exception {
    note("a");
    notes.bootstrap(List.of());
    assertThat(files()).isEmpty();

    notes.open(tables);

    assertThat(files()).containsExactly("a");
    note("b");
    assertThat(files()).as("at once").containsExactly("a", "b");
  }

  /** What waits keeps its order and its time. */
  @Test
  void whileTheDatabaseFailsEntriesWait(CapturedOutput output) throws Exception {
    notes.open(tables);
    new Sql(superuser).update("ALTER TABLE log_pending RENAME TO log_gone");
    note("a");
    note("b");
    notes.retry();
    new Sql(superuser).update("ALTER TABLE log_gone RENAME TO log_pending");
    assertThat(files()).isEmpty();
    assertThat(output).contains("entries wait for the log").doesNotContain("Batch entry");

    notes.retry();
    notes.retry();

    assertThat(files()).containsExactly("a", "b");
  }

  @Test
  void ofManyTheLatestWait() throws Exception {
    for (int i = 0; i < 150; i++) {
      note("file " + i);
    }
    notes.open(tables);
    assertThat(files()).hasSize(100).first().isEqualTo("file 50");
  }
}
