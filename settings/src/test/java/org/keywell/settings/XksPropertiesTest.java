package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class XksPropertiesTest {

  private static final String ENABLED = "keywell.xks.enabled=true";
  private static final String BUNDLE = "keywell.xks.bundle=service";
  private static final String CREDENTIALS = "keywell.xks.credentials-file=credentials";

  @Test
  void nobodyListensByDefault() {
    XksProperties xks = KeywellPropertiesTest.bind().xks();

    assertThat(xks.enabled()).isFalse();
    assertThat(xks.address().isLoopbackAddress()).isTrue();
    assertThat(xks.port()).isEqualTo(8443);
    assertThat(xks.deadline()).isEqualTo(Duration.ofMillis(200));
    assertThat(xks.clientSubject()).isNull();
  }

  @Test
  void allOfItComesFromTheEnvironment() {
    XksProperties xks =
        KeywellPropertiesTest.bindEnvironment(
                Map.of(
                    "KEYWELL_XKS_ENABLED", "true",
                    "KEYWELL_XKS_BUNDLE", "service",
                    "KEYWELL_XKS_CREDENTIALSFILE", "/etc/xks",
                    "KEYWELL_XKS_PATHPREFIX", "/a/b-c",
                    "KEYWELL_XKS_CLIENTSUBJECT", "CN=kms, O=Cloud",
                    "KEYWELL_XKS_CALLSPERHSM", "7"))
            .xks();

    assertThat(xks.enabled()).isTrue();
    assertThat(xks.credentialsFile()).isEqualTo(Path.of("/etc/xks"));
    assertThat(xks.pathPrefix()).isEqualTo("/a/b-c");
    assertThat(xks.clientSubject()).isEqualTo("CN=kms, O=Cloud");
    assertThat(xks.callsPerHsm()).isEqualTo(7);
  }

  @Test
  void aListenerNeedsACertificateAndCredentials() {
    assertThat(KeywellPropertiesTest.refusal(ENABLED, CREDENTIALS)).contains("keywell.xks.bundle");
    assertThat(KeywellPropertiesTest.refusal(ENABLED, BUNDLE))
        .contains("keywell.xks.credentials-file");
  }

  @Test
  void itsCallsNeedSessions() {
    assertThat(
            KeywellPropertiesTest.refusal(
                ENABLED, BUNDLE, CREDENTIALS, "keywell.hsm.max-sessions=6"))
        .contains("keywell.hsm.max-sessions", "keywell.xks.calls-per-hsm");
  }

  @ParameterizedTest
  @CsvSource({
    "port,65536",
    "path-prefix,store",
    "path-prefix,/store/",
    "path-prefix,/a%20b",
    "client-subject,kms",
    "deadline,10ms",
    "max-connections,0",
    "max-concurrent,0",
    "calls-per-hsm,65",
    "idle-timeout,0s",
    "message-timeout,1ms",
    "database-connections,0"
  })
  void whatIsOutOfBoundsIsRefusedByName(String name, String value) {
    assertThat(KeywellPropertiesTest.refusal("keywell.xks." + name + "=" + value))
        .contains("keywell.xks." + name);
  }
}
