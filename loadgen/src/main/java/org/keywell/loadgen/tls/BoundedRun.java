package org.keywell.loadgen.tls;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that has run, within a time limit.
 *
 * @param text what it has printed, standard output and error together
 * @param arrivals when which part of it arrived, in order
 */
record BoundedRun(int exitCode, String text, List<Arrival> arrivals) {
  private static final int READ_BYTES = 1 << 16;

  /**
   * A part of the output.
   *
   * @param end the number of characters up to its end
   * @param nanos when it arrived, by {@link System#nanoTime}
   */
  record Arrival(int end, long nanos) {}

  /**
   * Runs a program to its end. It does not outlive this call, whatever happens.
   *
   * @throws IOException if it cannot be started, or takes longer than the limit
   */
  static BoundedRun of(List<String> command, Path directory, Duration limit)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .start();
    try {
      Output output = new Output(process.getInputStream());
      Thread reader = Thread.ofVirtual().name("output").start(output);
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "%s %s did not end within %d s and was killed"
                .formatted(command.get(0), command.get(1), limit.toSeconds()));
      }
      reader.join();
      return new BoundedRun(process.exitValue(), output.text(), List.copyOf(output.arrivals));
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns the last line that is not blank. */
  String lastLine() {
    return text.lines().filter(line -> !line.isBlank()).reduce("", (_, last) -> last).strip();
  }

  /** Reads until the end; its results are complete when its thread has ended. */
  private static final class Output implements Runnable {
    private final InputStream from;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Arrival> arrivals = new ArrayList<>();

    Output(InputStream from) {
      this.from = from;
    }

    @Override
    public void run() {
      byte[] buffer = new byte[READ_BYTES];
      try {
        int read = from.read(buffer);
        while (read >= 0) {
          bytes.write(buffer, 0, read);
          arrivals.add(new Arrival(bytes.size(), System.nanoTime()));
          read = from.read(buffer);
        }
      } catch (IOException e) {
        // The process was killed; what is missing from its output is noticed.
      }
    }

    /** In an encoding with one character for each byte, as the arrivals count. */
    String text() {
      return bytes.toString(StandardCharsets.ISO_8859_1);
    }
  }
}
