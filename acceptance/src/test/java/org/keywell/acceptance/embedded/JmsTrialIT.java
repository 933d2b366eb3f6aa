package org.keywell.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ArtemisBroker;
import org.keywell.acceptance.running.JmsClient;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.FreePort;

/** The broker that comes along, as {@code ./keywell up --jms} sets it up. */
@Timeout(120)
final class JmsTrialIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String TRIAL = "trial";

  @Test
  void signsForItsOneUserForTryingOut(@TempDir Path home) throws Exception {
    int port = FreePort.find();
    Path callers =
        Files.writeString(
            home.resolve("callers.yaml"),
            "callers: [{name: trial, broker-user: trial, roles: [sign], identity: trusted-caller}]");
    Files.setPosixFilePermissions(callers, PosixFilePermissions.fromString("rw-------"));
    Map<String, String> jms =
        Map.of(
            "keywell.jms.enabled", "true",
            "keywell.jms.embedded", "true",
            "keywell.jms.brokers", "127.0.0.1:" + port,
            "keywell.jms.username", "keywell",
            "keywell.jms.password-file", home.resolve("jms/keywell.password").toString(),
            "keywell.jms.validated-user", "true",
            "keywell.security.callers-file", callers.toString());
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 1);
      try (RunningKeywell _ = RunningKeywell.start(site.settings(Settings.pool(SPEC, 1), jms))) {
        Path password = home.resolve("jms/trial.password");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(password)))
            .isEqualTo("rw-------");
        try (JmsClient client =
            JmsClient.artemis(port, TRIAL, Files.readString(password).strip())) {
          client.send(
              "mine", SignBody.of("hello").keySpec(SPEC).requestId(UUID.randomUUID()).json());
          Objects.requireNonNull(client.next(60_000)).verify("SHA256withECDSA", "hello");

          assertThatThrownBy(() -> client.nextOf(ArtemisBroker.REQUESTS, 100))
              .isInstanceOf(JMSSecurityRuntimeException.class);
        }
        assertThatThrownBy(() -> JmsClient.artemis(port, TRIAL, "guessed"))
            .isInstanceOf(JMSRuntimeException.class);
      }
    }
  }
}
