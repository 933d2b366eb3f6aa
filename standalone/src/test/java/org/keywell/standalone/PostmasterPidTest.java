package org.keywell.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running server writes is tested by {@link EmbeddedDatabaseTest}. */
final class PostmasterPidTest {

  @TempDir private Path data;

  @Test
  void withoutTheFileNoneRuns() throws Exception {
    assertThat(PostmasterPid.find(data)).isEmpty();
  }

  @Test
  void aFileThatIsStillBeingWrittenIsNone() throws Exception {
    write(Long.toString(ProcessHandle.current().pid()));

    assertThat(PostmasterPid.find(data)).isEmpty();
  }

  @Test
  void aProcessThatIsGoneIsNone() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    write(ended.pid() + "\n" + data + "\n1700000000\n5432\n");

    assertThat(PostmasterPid.find(data)).isEmpty();
  }

  /** After a restart of the machine the number is anyone's. */
  @Test
  void anotherProgramWithTheNumberIsNone() throws Exception {
    write(ProcessHandle.current().pid() + "\n" + data + "\n1700000000\n5432\n");

    assertThat(PostmasterPid.find(data)).isEmpty();
  }

  private void write(String content) throws Exception {
    Files.writeString(data.resolve("postmaster.pid"), content);
  }
}
