package org.keywell.loadgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ServicePlanTest {

  @Test
  void aKindOfKeyIsNamedAsTheEnvironmentCanHoldIt() {
    assertThat(new ServicePlan("EC-P256", 70, 50, Duration.ofSeconds(60), null).environment())
        .containsEntry("KEYWELL_POOL_SPECS_ECP256_LOADEDCAPACITY", "70")
        .containsEntry("KEYWELL_SIGN_HANDLERTHREADS", "2")
        .doesNotContainKeys("KEYWELL_HSM_PROFILE", "KEYWELL_SIGN_MAXDEADLINE");
  }

  @Test
  void reportsTellSettingsThatMatterAndNoSecrets() {
    assertThat(
            ServicePlan.told(
                Map.of(
                    "KEYWELL_SIGN_QUEUELIMIT", "50",
                    "KEYWELL_POOL_MODE", "pooled",
                    "KEYWELL_HSM_PROFILE", "luna",
                    "KEYWELL_HSM_PIN", "1234",
                    "KEYWELL_HSM_PINFILE", "/pin",
                    "KEYWELL_DATABASE_PASSWORD", "secret",
                    "KEYWELL_HOME", "/home",
                    "PATH", "/bin")))
        .containsExactly(
            "KEYWELL_HSM_PROFILE=luna", "KEYWELL_POOL_MODE=pooled", "KEYWELL_SIGN_QUEUELIMIT=50");
  }
}
