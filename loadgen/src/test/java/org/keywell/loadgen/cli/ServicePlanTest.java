package org.keywell.loadgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.cli.ServicePlan.Mode;

final class ServicePlanTest {

  @Test
  void aKindOfKeyIsNamedAsTheEnvironmentCanHoldIt() {
    assertThat(
            new ServicePlan("EC-P256", 70, 50, Duration.ofSeconds(60), null)
                .environment(Mode.ON_THE_FLY))
        .containsEntry("KEYWELL_POOL_MODE", "on-the-fly")
        .containsEntry("KEYWELL_POOL_SPECS_ECP256_LOADEDCAPACITY", "70")
        .containsEntry("KEYWELL_SIGN_HANDLERTHREADS", "2")
        .doesNotContainKeys("KEYWELL_HSM_PROFILE", "KEYWELL_SIGN_MAXDEADLINE");
  }

  @Test
  void allKeysAreLoadedAtTheStartAndNoneIsMade() {
    ServicePlan plan = new ServicePlan("RSA-2048", 120, 50, Duration.ofSeconds(60), "luna-sa-1700");

    assertThat(plan.environment(Mode.POOLED))
        .isEqualTo(
            Map.of(
                "KEYWELL_POOL_MODE", "pooled",
                "KEYWELL_HSM_PROFILE", "luna-sa-1700",
                "KEYWELL_POOL_SPECS_RSA2048_BATCHSIZE", "120",
                "KEYWELL_POOL_SPECS_RSA2048_LOADEDCAPACITY", "120",
                "KEYWELL_POOL_SPECS_RSA2048_LOWWATER", "1",
                "KEYWELL_POOL_SPECS_RSA2048_MAXSTORED", "0",
                "KEYWELL_SIGN_HANDLERTHREADS", "2",
                "KEYWELL_SIGN_QUEUELIMIT", "50"));
    assertThat(plan.patience()).isEqualTo(Duration.ofSeconds(90));
    assertThat(plan.loadsWithin()).isEqualTo(Duration.ofMinutes(7));
  }

  @Test
  void latenciesOfMinutesAndLongQueuesAreAllowedFor() {
    ServicePlan plan = new ServicePlan("RSA-2048", 9_470, 4_800, Duration.ofMinutes(10), null);

    assertThat(plan.environment(Mode.POOLED))
        .containsEntry("KEYWELL_SIGN_MAXDEADLINE", "600s")
        .containsEntry("KEYWELL_SIGN_QUEUELIMIT", "4800")
        .containsEntry("KEYWELL_HTTP_MAXCONNECTIONS", "9600")
        .containsEntry("SPRING_LIFECYCLE_TIMEOUTPERSHUTDOWNPHASE", "610s");
    assertThat(plan.patience()).isEqualTo(Duration.ofSeconds(630));
  }

  @Test
  void moreConnectionsThanTheServiceAllowsAreNotAskedFor() {
    ServicePlan plan = new ServicePlan("RSA-2048", 70, 60_000, Duration.ofSeconds(60), null);

    assertThat(plan.environment(Mode.POOLED))
        .containsEntry("KEYWELL_HTTP_MAXCONNECTIONS", "100000");
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
