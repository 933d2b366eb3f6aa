package org.keywell.operations.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.pkcs11.CkFunction;
import org.keywell.testkit.Scrape;

final class HsmMetricsTest {

  private static final long CKR_DEVICE_ERROR = 0x30;
  private static final long OF_A_VENDOR = 0x8000_0001L;
  private static final long MILLISECOND = 1_000_000;

  private final MeterRegistry registry = Registries.prometheus();
  private final HsmMetrics metrics = new HsmMetrics(registry, "east");

  @Test
  void timesEachFunctionByWhatItReturned() {
    metrics.returned(CkFunction.C_SIGN, 0, 5, 5 + 2 * MILLISECOND);
    metrics.returned(CkFunction.C_SIGN, 0, -MILLISECOND, MILLISECOND);
    metrics.returned(CkFunction.C_SIGN, CKR_DEVICE_ERROR, 0, MILLISECOND);
    metrics.returned(CkFunction.C_WRAP_KEY, OF_A_VENDOR, 0, MILLISECOND);
    metrics.returned(CkFunction.C_WRAP_KEY, OF_A_VENDOR + 1, 0, MILLISECOND);

    Scrape scrape = Registries.scrape(registry);
    assertThat(
            scrape.value(
                "keywell_hsm_seconds_count",
                "device",
                "east",
                "function",
                "C_Sign",
                "rv",
                "CKR_OK"))
        .isEqualTo(2);
    assertThat(
            scrape.value(
                "keywell_hsm_seconds_sum", "device", "east", "function", "C_Sign", "rv", "CKR_OK"))
        .isEqualTo(0.004);
    assertThat(
            scrape.value(
                "keywell_hsm_seconds_count", "function", "C_Sign", "rv", "CKR_DEVICE_ERROR"))
        .isEqualTo(1);
    assertThat(scrape.value("keywell_hsm_seconds_count", "function", "C_WrapKey", "rv", "other"))
        .as("codes that no list has share a series")
        .isEqualTo(2);
  }

  /** It runs on the signing path. */
  @Test
  void allocatesNextToNothing() {
    var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    int rounds = 20_000;
    round(rounds);
    long before = memory.getCurrentThreadAllocatedBytes();

    round(rounds);

    // Less than a byte per call: the histogram's window moves on now and then.
    assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(rounds);
  }

  private void round(int rounds) {
    for (int i = 0; i < rounds; i++) {
      metrics.returned(CkFunction.C_SIGN, 0, 0, MILLISECOND);
    }
  }
}
