package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.signing.record.Erasure;
import org.keywell.signing.record.archive.Archive;
import org.keywell.signing.record.archive.Progress;
import org.keywell.testkit.Await;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.DirectoryTiles;
import org.keywell.tlog.LogReader;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.SignedNote;

/** What is left of signatures whose time is over. */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(180)
final class RetentionIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String ORIGIN = "sign.example.org/log";

  @TempDir Path home;

  private Site site;
  private HikariDataSource owner;
  private RunningKeywell keywell;

  @BeforeEach
  void start() throws InterruptedException {
    site = Site.create(home);
    site.stock(SPEC, 5);
    owner = site.database().asOwner().dataSource();
    keywell =
        RunningKeywell.start(
            site.settings(Settings.pool(SPEC, 3), Map.of("keywell.log.origin", ORIGIN)));
  }

  @AfterEach
  void close() {
    keywell.close();
    owner.close();
    site.close();
  }

  private HttpApi.Answer sign(UUID id) throws Exception {
    return keywell
        .http()
        .sign(SignBody.of("document").requestId(id).keySpec(SPEC).scheme(SignatureScheme.ECDSA));
  }

  private UUID signed() throws Exception {
    UUID id = UUID.randomUUID();
    assertThat(sign(id).status()).isEqualTo(200);
    return id;
  }

  private void awaitInLog(String text) throws InterruptedException {
    Await.until(
        text + " is in the log's checkpoint",
        () ->
            site.sql()
                    .count(
                        """
                        SELECT count(*) FROM log_entry, log_tree
                        WHERE index < checkpoint_size AND convert_from(entry, 'UTF8') LIKE '%%%s%%'
                        """
                            .formatted(text))
                > 0);
  }

  @Test
  void whoWasErasedIsNeitherShownNorSignedForAgain() throws Exception {
    UUID id = signed();

    assertThat(new Erasure(owner).erase(id)).isEqualTo(Erasure.Result.ERASED);

    assertThat(keywell.http().result(id).status()).isEqualTo(410);
    assertThat(keywell.http().result(id).problem()).isEqualTo("erased");
    assertThat(sign(id).problem()).as("repeated").isEqualTo("erased");
    assertThat(site.sql().count("SELECT count(*) FROM used_key")).isEqualTo(1);
    awaitInLog("\"request\":\"%s\",\"type\":\"erased\"".formatted(id));
    assertThat(keywell.scrape().value("keywell_log_altered")).isZero();
  }

  @Test
  void anArchivedMonthIsProvedByTheCopyOfTheLog() throws Exception {
    List<UUID> ids = List.of(signed(), signed(), signed());
    awaitInLog(ids.getLast().toString());
    for (String table : List.of("known_request", "sign_request")) {
      site.sql()
          .update(
              "UPDATE %s SET request_received = request_received - interval '1 year'"
                  .formatted(table));
    }
    YearMonth thisMonth = YearMonth.now(ZoneOffset.UTC);

    int months =
        new Archive(owner, home.resolve("archive"), new Progress(line -> {}, System::nanoTime))
            .run(thisMonth.minusMonths(2), Instant.now());

    assertThat(months).isEqualTo(1);
    assertThat(keywell.http().result(ids.getFirst()).status()).isEqualTo(404);
    Path month = home.resolve("archive/" + thisMonth.minusYears(1));
    try (BufferedReader records =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(month.resolve("requests.jsonl.gz"))),
                StandardCharsets.UTF_8))) {
      assertThat(records.lines().toList())
          .hasSize(3)
          .allMatch(line -> line.contains("\"log_index\"") && line.contains("\"certificate\""));
    }
    SignedNote note = SignedNote.parse(Files.readAllBytes(month.resolve("checkpoint")));
    List<NoteKey> keys =
        Files.readAllLines(home.resolve("archive/log/key")).stream().map(NoteKey::parse).toList();
    assertThat(note.signedBy(keys)).as("of each type").isNotEmpty().containsExactlyElementsOf(keys);
    new LogReader(new DirectoryTiles(home.resolve("archive/log")), (index, entry) -> {})
        .read(Checkpoint.parse(note.text()), List.of());
    awaitInLog("\"type\":\"archived\"");
    signed();
  }
}
