package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
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
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import tools.jackson.databind.JsonNode;

/** A key that the HSM does not destroy when told to is destroyed later, on record. */
@Tag("process")
@Timeout(120)
final class OrphanIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final long CKR_DEVICE_ERROR = 0x30;

  @TempDir Path home;

  @Test
  void theRecordTellsWhenAnOrphanWasDestroyed() throws Exception {
    try (FaultyModule module = FaultyModule.create(home.resolve("hsm"));
        Site site = Site.create(home, module.path())) {
      site.stock(SPEC, 3);
      try (RunningKeywell keywell = RunningKeywell.start(site.settings(Settings.pool(SPEC, 3)))) {
        keywell.awaitLoaded(SPEC, 3);
        module.inject("C_DestroyObject", Fault.returning(CKR_DEVICE_ERROR));
        UUID id = UUID.randomUUID();

        HttpApi.Answer answer =
            keywell.http().sign(SignBody.of("document").keySpec(SPEC).requestId(id));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        JsonNode times = answer.body().path("timestamps");
        assertThat(times.has("keyDestroyed") || times.has("keyDestroyedLater")).isFalse();
        long before = module.faults("C_DestroyObject");
        Await.until("refused once more", () -> module.faults("C_DestroyObject") > before);

        module.clear("C_DestroyObject");

        Await.until(
            "the record tells",
            () -> keywell.http().result(id).body().path("timestamps").has("keyDestroyedLater"));
        times = keywell.http().result(id).body().path("timestamps");
        assertThat(times.has("keyDestroyed")).isFalse();
        assertThat(Instant.parse(times.path("keyDestroyedLater").asString()))
            .isAfter(Instant.parse(times.path("requestFinished").asString()));
        assertThat(
                site.sql()
                    .text(
                        """
                        SELECT concat_ws(' ', status, destruction_return_value, key_destroyed,
                          late_return_value)
                        FROM sign_request JOIN late_destruction USING (request_id)
                        """))
            .isEqualTo("signed 48 0");
      }
    }
  }
}
