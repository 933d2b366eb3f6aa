package org.keywell.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.running.HttpApi;
import org.keywell.service.running.RunningKeywell;
import org.keywell.service.running.Settings;
import org.keywell.service.running.SignBody;
import org.keywell.service.running.Site;

/** However many ask how deep the pool is, and however slow the count, requests are signed. */
final class ReadFloodIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int READERS = 40;

  @TempDir Path home;

  @Test
  void whoAsksForThePoolTakesNoConnectionFromSigning() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 3);
      try (RunningKeywell keywell =
              RunningKeywell.start(
                  site.settings(
                      Settings.pool(SPEC, 3), Map.of("keywell.database.max-connections", "4")));
          HikariDataSource other = site.database().dataSource();
          Connection slow = other.getConnection();
          Statement lock = slow.createStatement();
          ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
        keywell.awaitLoaded(SPEC, 3);
        slow.setAutoCommit(false);
        lock.execute("LOCK TABLE pool_key IN ACCESS EXCLUSIVE MODE");
        try {
          List<Future<HttpApi.Answer>> reads = new ArrayList<>();
          for (int i = 0; i < READERS; i++) {
            reads.add(readers.submit(() -> keywell.http().get("/pool")));
          }
          HttpApi.Answer signed =
              keywell.http().sign(SignBody.of("document").keySpec(SPEC).deadlineMillis(20_000));
          assertThat(signed.status()).as(signed.body().toString()).isEqualTo(200);
          for (Future<HttpApi.Answer> read : reads) {
            assertThat(read.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
          }
        } finally {
          slow.rollback();
        }
      }
    }
  }
}
