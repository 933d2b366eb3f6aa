package org.keywell.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is told of the machine. */
final class MachineTest {

  @Test
  void memoryIsInGibibytes() {
    assertThat(Machine.gib("8038952 kB")).isEqualTo("7.7 GiB");
  }

  @Test
  void theHsmIsNamedByItsModule() {
    assertThat(Machine.here("/opt/nfast/libcknfast.so", Optional.empty()).hsm())
        .isEqualTo("/opt/nfast/libcknfast.so");
    assertThat(Machine.here("/usr/lib/softhsm/libsofthsm2.so", Optional.empty()).hsm())
        .startsWith("SoftHSM ")
        .endsWith(", /usr/lib/softhsm/libsofthsm2.so");
  }

  @Test
  void whatNobodySaysIsUnknown() {
    assertThat(Machine.here("x", Optional.empty()).database()).isEqualTo("unknown");
    assertThat(Machine.here("x", Optional.of("PostgreSQL 17.11")).database())
        .isEqualTo("PostgreSQL 17.11");
  }

  @Test
  void onlyWhatAProgramSaysInOrderCounts() {
    assertThat(Machine.printed("/bin/sh", "-c", "echo 1.2; echo more")).contains("1.2");
    assertThat(Machine.printed("/bin/sh", "-c", "echo 1.2; exit 3")).isEmpty();
    assertThat(Machine.printed("/bin/sh", "-c", "echo wrong >&2")).isEmpty();
    assertThat(Machine.printed("/no/such/program")).isEmpty();
  }
}
