package org.keywell.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The profiler in another process. */
@Tag("process")
final class ProfilerTest {
  private static final long WORKING_MILLIS = 500;

  private final Process busy = start();

  @TempDir private Path folder = Path.of("");

  private static Process start() {
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+EnableDynamicAgentLoading",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Busy.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      assertThat(process.getInputStream().read()).isEqualTo(Busy.READY);
      return process;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void end() throws InterruptedException {
    busy.destroyForcibly();
    assertThat(busy.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  private List<String> sampled(Event event) throws Exception {
    Profiler profiler = Profiler.of(busy.pid(), folder);
    profiler.start(event);
    // What is sampled is time that passes in the other process.
    boolean ended = busy.waitFor(WORKING_MILLIS, TimeUnit.MILLISECONDS);
    assertThat(ended).isFalse();
    return profiler.stop(event);
  }

  @Test
  void processorTimeIsOfTheMethodThatWorks() throws Exception {
    Shares shares =
        Shares.of(sampled(Event.PROCESSOR), FrameTable.of("json " + Busy.class.getName()));
    assertThat(shares.total()).isPositive();
    assertThat(shares.share(Area.JSON)).isGreaterThan(0.5);
  }

  @Test
  void allocationIsInBytesAndAsMuchAsWasAllocated() throws Exception {
    Shares shares =
        Shares.of(sampled(Event.ALLOCATION), FrameTable.of("json " + Busy.class.getName()));
    assertThat(shares.total()).isGreaterThan(1_000 * Busy.BLOCK);
    assertThat(shares.share(Area.JSON)).isGreaterThan(0.9);
  }

  @Test
  void whatTheProfilerSaysOfAMistakeIsTold() throws Exception {
    Profiler profiler = Profiler.of(busy.pid(), folder);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> profiler.stop(Event.PROCESSOR))
        .withMessageContaining("has not started");
  }

  @Test
  void aProcessThatIsNotThereCannotBeProfiled() throws Exception {
    end();
    Profiler profiler = Profiler.of(busy.pid(), folder);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> profiler.start(Event.PROCESSOR))
        .withMessageContaining(Long.toString(busy.pid()));
  }
}
