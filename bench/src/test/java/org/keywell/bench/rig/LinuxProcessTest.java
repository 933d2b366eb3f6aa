package org.keywell.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of this process, of which the JDK tells the same. */
@Timeout(30)
final class LinuxProcessTest {
  private static final LinuxProcess SELF = new LinuxProcess(ProcessHandle.current().pid());

  @Test
  void processorTimeIsWhatTheJdkTells() throws IOException {
    long expected =
        ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() / 1_000;

    assertThat(SELF.cpuMicros()).isCloseTo(expected, within(500_000L)).isPositive();
  }

  @Test
  void timeOfAChildCountsWhenItHasEnded() throws Exception {
    long before = SELF.endedChildrenCpuMicros();
    Process child =
        new ProcessBuilder("/bin/sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")
            .start();
    assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();

    assertThat(SELF.endedChildrenCpuMicros()).isGreaterThan(before);
  }

  @Test
  void memoryIsMoreThanAFewMebibytesAndLessThanTheMachineHas() throws IOException {
    assertThat(SELF.residentBytes())
        .isGreaterThan(10L << 20)
        .isLessThan(
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
  }
}
