package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class SeenMessagesTest {

  private static final RecordsDatabase database = new RecordsDatabase();

  private final Instant later = Instant.now().plus(Duration.ofHours(1));

  private final SeenMessages one = new SeenMessages(database.dataSource());
  private final SeenMessages other = new SeenMessages(database.dataSource());

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void aCopyIsRefusedAtAnyInstance() {
    assertThat(one.take("tax", "<copied@tax>", "17", later)).isTrue();

    assertThat(one.take("tax", "<copied@tax>", "18", later)).isFalse();
    assertThat(other.take("tax", "<copied@tax>", "18", later)).isFalse();
  }

  @Test
  void theSameDeliveryIsTakenAgain() {
    assertThat(one.take("tax", "<again@tax>", "17", later)).isTrue();

    assertThat(one.take("tax", "<again@tax>", "17", later)).isTrue();
    assertThat(other.take("tax", "<again@tax>", "17", later)).isTrue();
    assertThat(other.take("tax", "<again@tax>", "18", later)).isFalse();
  }

  @Test
  void anIdIsItsSendersOwn() {
    assertThat(one.take("tax", "<id@anywhere>", "17", later)).isTrue();

    assertThat(one.take("toll", "<id@anywhere>", "18", later)).isTrue();
    assertThat(one.take("tax", "<ID@anywhere>", "19", later)).as("exactly this id").isTrue();
  }

  @Test
  void ofCopiesThatComeAtOnceOneIsTaken() throws Exception {
    List<Future<Boolean>> taken = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 8; i++) {
        String delivery = Integer.toString(i);
        SeenMessages instance = i % 2 == 0 ? one : other;
        taken.add(threads.submit(() -> instance.take("tax", "<racing@tax>", delivery, later)));
      }
    }
    int count = 0;
    for (Future<Boolean> each : taken) {
      count += each.get(20, TimeUnit.SECONDS) ? 1 : 0;
    }
    assertThat(count).isOne();
  }

  @Test
  void oldOnesAreForgottenAFewAtATimeAndAnHourLater() throws Exception {
    Instant now = Instant.now();
    for (int i = 0; i < 5; i++) {
      insert("<old" + i + "@tax>", now.minus(Duration.ofMinutes(70)));
    }
    insert("<recent@tax>", now.minus(Duration.ofMinutes(50)));

    assertThat(one.take("tax", "<new0@tax>", "1", later)).isTrue();
    assertThat(left()).isEqualTo(4);
    for (int i = 1; i < 5; i++) {
      assertThat(one.take("tax", "<new" + i + "@tax>", "1", later)).isTrue();
    }
    assertThat(left()).as("the recent one").isOne();
  }

  private static long left() throws Exception {
    return sql().count("SELECT count(*) FROM seen_message WHERE usable_until < now()");
  }

  private static Sql sql() {
    return new Sql(database.dataSource());
  }

  private static void insert(String id, Instant until) throws Exception {
    int _ =
        sql()
            .update(
                "INSERT INTO seen_message VALUES ('tax', '%s', '1', '%s')".formatted(id, until));
  }
}
