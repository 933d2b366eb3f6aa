package org.keywell.loadgen.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CpuQuotaTest {

  private static CpuQuota quota() {
    try {
      return CpuQuota.create("keywell-test-" + ProcessHandle.current().pid(), 0.5);
    } catch (IOException e) {
      return abort("this machine gives no quota: " + e.getMessage());
    }
  }

  @Test
  void aProgramRunsWithinTheGroup(@TempDir Path logs) throws Exception {
    try (CpuQuota quota = quota()) {
      ServiceProgram limited =
          quota.limit(
              new ServiceProgram(
                  List.of("/bin/cat", "/proc/self/cgroup"), Map.of(), logs, Redirect.DISCARD));
      Process process = new ProcessBuilder(limited.command()).redirectErrorStream(true).start();
      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("/" + quota.group().getFileName());
      assertThat(process.waitFor()).isZero();
    }
  }

  @Test
  void whereThereIsNoControlGroupNothingIsLeft(@TempDir Path all) {
    assertThatThrownBy(() -> CpuQuota.create(all, "speed", 0.5)).isInstanceOf(IOException.class);
    assertThat(all).isEmptyDirectory();
  }
}
