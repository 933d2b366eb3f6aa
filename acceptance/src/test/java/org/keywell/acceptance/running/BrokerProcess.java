package org.keywell.acceptance.running;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.keywell.testkit.Await;

/** A broker in a process of its own, which can be killed. */
public final class BrokerProcess {

  private final Process process;

  private BrokerProcess(Process process) {
    this.process = process;
  }

  /** Starts one on what an earlier one left in the directory, and waits until it listens. */
  public static BrokerProcess start(Path directory, int port) throws Exception {
    Path log = Files.createTempFile(directory, "broker", ".log");
    Process process =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ArtemisBroker.class.getName(),
                    directory.resolve("broker").toString(),
                    Integer.toString(port)))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Await.until("the broker listens", () -> isReady(process, log));
    return new BrokerProcess(process);
  }

  private static boolean isReady(Process process, Path log) throws IOException {
    if (!process.isAlive()) {
      throw new AssertionError("the broker has ended:\n" + Files.readString(log));
    }
    return Files.readString(log).lines().anyMatch("ready"::equals);
  }

  /** {@code kill -9}. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
