package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;

/** However many ask how deep the pool is, or for results, requests are signed. */
final class ReadFloodIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int READERS = 40;
  private static final int THOUSAND = 1_000;

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

  @Test
  void aThousandReadersOfEachKindCostNoSignature() throws Exception {
    int keys = 30;
    try (Site site = Site.create(home)) {
      site.stock(SPEC, keys);
      try (RunningKeywell keywell =
              RunningKeywell.start(
                  site.settings(
                      Settings.pool(SPEC, keys),
                      Map.of(
                          "keywell.database.max-connections", "4",
                          "keywell.http.max-connections", "5000")));
          ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
        keywell.awaitLoaded(SPEC, keys);
        UUID known = UUID.randomUUID();
        assertThat(sign(keywell, known).status()).isEqualTo(200);
        List<Future<HttpApi.Answer>> pools = new ArrayList<>();
        List<Future<HttpApi.Answer>> results = new ArrayList<>();
        for (int i = 0; i < THOUSAND; i++) {
          pools.add(callers.submit(() -> keywell.http().get("/pool")));
          results.add(callers.submit(() -> keywell.http().result(known)));
        }
        for (int i = 1; i < keys; i++) {
          HttpApi.Answer signed = sign(keywell, UUID.randomUUID());
          assertThat(signed.status()).as(signed.body().toString()).isEqualTo(200);
        }

        for (Future<HttpApi.Answer> pool : pools) {
          assertThat(pool.get(60, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
        int read = 0;
        for (Future<HttpApi.Answer> result : results) {
          HttpApi.Answer answer = result.get(60, TimeUnit.SECONDS);
          if (answer.status() == 200) {
            read++;
          } else {
            assertThat(answer.problem()).isEqualTo("reads-busy");
            assertThat(answer.body().path("detail").asString())
                .contains("keywell.database.max-connections");
            assertThat(answer.retryAfter()).isEqualTo("1");
          }
        }
        assertThat(read).as("of a thousand").isPositive();
        assertThat(keywell.http().result(known).status()).as("afterwards").isEqualTo(200);
      }
    }
  }

  private static HttpApi.Answer sign(RunningKeywell keywell, UUID id) throws Exception {
    return keywell
        .http()
        .sign(SignBody.of("document").requestId(id).keySpec(SPEC).deadlineMillis(20_000));
  }
}
