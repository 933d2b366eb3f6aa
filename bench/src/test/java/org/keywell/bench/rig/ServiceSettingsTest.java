package org.keywell.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ServiceSettingsTest {

  @Test
  void nothingIsGeneratedAndTwoThreadsSign() {
    assertThat(new ServiceSettings().environment())
        .containsEntry("KEYWELL_POOL_SPECS_RSA2048_MAXSTORED", "0")
        .containsEntry("KEYWELL_POOL_SPECS_ECP256_MAXSTORED", "0")
        .containsEntry("KEYWELL_SIGN_HANDLERTHREADS", "2");
  }

  /** Keys at work take room: without room for them, a batch would come short of them. */
  @Test
  void aBurstIsLoadedWholeWhenTheLastKeyIsTaken() {
    assertThat(new ServiceSettings().loadedAtOnce(Stock.RSA, 800).environment())
        .containsEntry("KEYWELL_POOL_SPECS_RSA2048_LOADEDCAPACITY", "850")
        .containsEntry("KEYWELL_POOL_SPECS_RSA2048_LOWWATER", "1")
        .containsEntry("KEYWELL_POOL_SPECS_RSA2048_BATCHSIZE", "800")
        .containsEntry("KEYWELL_HSM_UNWRAPSESSIONS", "1");
  }

  @Test
  void aPartSaysOtherwise() {
    Map<String, String> environment =
        new ServiceSettings()
            .keptLoaded(Stock.EC, 500, 100)
            .handlerThreads(10)
            .with("KEYWELL_POOL_MODE", "on-the-fly")
            .environment();

    assertThat(environment)
        .containsEntry("KEYWELL_POOL_SPECS_ECP256_LOADEDCAPACITY", "550")
        .containsEntry("KEYWELL_POOL_SPECS_ECP256_LOWWATER", "500")
        .containsEntry("KEYWELL_SIGN_HANDLERTHREADS", "10")
        .containsEntry("KEYWELL_POOL_MODE", "on-the-fly");
  }
}
