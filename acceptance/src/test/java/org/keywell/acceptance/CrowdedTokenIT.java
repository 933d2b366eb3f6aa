package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;

/** A token in which others have keys, too, several under one label. */
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class CrowdedTokenIT {

  @TempDir Path home;

  @Test
  void aServiceStartsAndSignsBesideKeysOfOneLabel() throws Exception {
    try (Site site = Site.create(home)) {
      crowd(site);
      for (String start : new String[] {"first", "second"}) {
        try (KeywellProcess keywell =
            KeywellProcess.start(
                site.settings(Map.of("keywell.pool.when-empty", "generate")),
                home.resolve(start + ".log"),
                "serve")) {
          SignedAnswer.of(keywell.awaitReady().sign(SignBody.of("document"))).verifyChain();
          keywell.terminate();
          assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(143);
        }
        crowd(site);
      }
    }
  }

  private static void crowd(Site site) {
    try (Pkcs11Hsm hsm = site.token().open()) {
      for (int i = 0; i < 2; i++) {
        var _ = hsm.tokenAesKeys().generate("others");
      }
    }
  }
}
